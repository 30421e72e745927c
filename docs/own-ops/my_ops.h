// C++ bodies of the ops in my_ops.py. What they do not expect they leave to the Python bodies: `return leave(vm);`.

struct HoleBox {
  i32 top, left;
  u32 height, width;  // with a border of one around the patch
};

// The key of place k of a packed patch, of places or of cells.
BATT_INLINE u32 hole_key(Vm& vm, Value patch, u32 k) {
  return patch.tag == PLACES ? mem<u32>(vm, patch.bits, k) : key_place(mem<u64>(vm, patch.bits, k));
}

BATT_INLINE HoleBox hole_box(Vm& vm, Value patch) {
  i32 top = 0x10000, left = 0x10000, bottom = -0x10000, right = -0x10000;
  for (u32 k = 0; k < patch.n; k++) {
    u32 key = hole_key(vm, patch, k);
    top = smaller(top, key_i(key));
    bottom = larger(bottom, key_i(key));
    left = smaller(left, key_j(key));
    right = larger(right, key_j(key));
  }
  return HoleBox{top - 1, left - 1, static_cast<u32>(bottom - top + 3), static_cast<u32>(right - left + 3)};
}

BATT_INLINE i64 cost_enclosed(Vm& vm, const Value* a) {
  if (is_set(a[0]) && length(a[0]) == 0) return 1;
  if (a[0].tag != PLACES && a[0].tag != CELLS) { leave(vm); return 1; }
  HoleBox box = hole_box(vm, a[0]);
  return 1 + static_cast<i64>(box.height) * box.width;
}

BATT_OP Value op_enclosed(Vm& vm, const Value* a) {
  if (is_set(a[0]) && length(a[0]) == 0) return integer(0);
  HoleBox box = hole_box(vm, a[0]);
  u32 count = box.height * box.width, waiting = 0;
  Scratch scratch(vm);
  Addr taken = scratch.alloc<u8>(count), stack = scratch.alloc<u32>(count);
  if (stopped(vm)) return none();
  for (u32 k = 0; k < count; k++) mem<u8>(vm, taken, k) = 0;
  for (u32 k = 0; k < a[0].n; k++) {
    u32 key = hole_key(vm, a[0], k);
    mem<u8>(vm, taken, static_cast<u32>(key_i(key) - box.top) * box.width + static_cast<u32>(key_j(key) - box.left)) = 1;
  }
  i64 areas = 0;
  for (u32 first = 0; first < count; first++) {
    if (mem<u8>(vm, taken, first)) continue;
    areas++;
    mem<u8>(vm, taken, first) = 1;
    mem<u32>(vm, stack, waiting++) = first;
    while (waiting) {
      u32 place = mem<u32>(vm, stack, --waiting), i = place / box.width, j = place % box.width;
      for (u32 way = 0; way < 4; way++) {
        if (way == 0 ? i == 0 : way == 1 ? j == 0 : way == 2 ? i + 1 == box.height : j + 1 == box.width) continue;
        u32 next = way == 0 ? place - box.width : way == 1 ? place - 1 : way == 2 ? place + box.width : place + 1;
        if (mem<u8>(vm, taken, next)) continue;
        mem<u8>(vm, taken, next) = 1;
        mem<u32>(vm, stack, waiting++) = next;
      }
    }
  }
  return integer(areas - 1);
}

BATT_OP Value op_majority(Vm& vm, const Value* a) {
  Value grid;
  if (!as_grid(vm, a[0], grid)) return leave(vm);
  u32 h = grid_h(grid), w = grid_w(grid);
  Value made = new_grid(vm, h, w);
  if (stopped(vm)) return none();
  Addr from = grid.bits, to = grid_cells(vm, made);
  for (u32 i = 0; i < h; i++) {
    for (u32 j = 0; j < w; j++) {
      u8 near[9], found = mem<u8>(vm, from, i * w + j);
      u32 n = 0;
      for (u32 y = i ? i - 1 : 0; y < smaller(i + 2, h); y++)
        for (u32 x = j ? j - 1 : 0; x < smaller(j + 2, w); x++) near[n++] = mem<u8>(vm, from, y * w + x);
      for (u32 k = 0; k < n; k++) {
        u32 alike = 0;
        for (u32 q = 0; q < n; q++) alike += near[q] == near[k];
        if (2 * alike > n) found = near[k];
      }
      mem<u8>(vm, to, i * w + j) = found;
    }
  }
  return made;
}
