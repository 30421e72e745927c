// Take grids apart: objects, colours, panels and equal pieces, as lists of cells. Host only.
#pragma once
#include <algorithm>

#include "caller.h"

namespace batt {

// A part of a grid: its cells are `cells[first … first + size)`, which are numbered row by row.
struct GridPart {
  u64 first, size;
  i32 top, left, bottom, right;

  i32 height() const { return bottom - top + 1; }
  i32 width() const { return right - left + 1; }
};

// The parts of one grid, which are disjoint.
class GridParts {
 public:
  Value grid{};
  i32 h = 0, w = 0;
  std::vector<u32> cells;
  std::vector<GridPart> parts;
  std::vector<i32> owner;  // by cell of the grid: its part, or -1

  // Take a grid apart. False if the machine stopped, or if there are more than `most` parts.
  bool find(Caller& caller, Value given, u32 form, u64 most) {
    grid = given;
    h = static_cast<i32>(grid_h(grid));
    w = static_cast<i32>(grid_w(grid));
    cells.clear();
    parts.clear();
    owner.assign(static_cast<u64>(h) * static_cast<u64>(w), -1);
    if (form == FORM_PIECES) {
      cut_pieces();
      return parts.size() <= most;
    }
    if (form == FORM_PANELS) return cut_panels(caller) && parts.size() <= most;
    Value a[] = {grid, flag(form, 2), flag(form, 1), flag(form, 0)};
    Value found = caller.call(form == FORM_COLOURS ? OP_partition : OP_objects, a);
    if (stopped(caller.vm()) || length(found) > most) return false;
    for (u32 k = 0; k < length(found); k++) add_object(caller.vm(), item(caller.vm(), found, k));
    return true;
  }

  u8 colour(u32 cell) const { return reinterpret_cast<const u8*>(grid.bits)[cell]; }

 private:
  // A form of objects has the flags T and F as the bits 0 and 1 of its number.
  static Value flag(u32 form, u32 bit) { return boolean(!(form >> bit & 1u)); }

  void begin_part() { parts.push_back(GridPart{cells.size(), 0, h, w, -1, -1}); }

  void add_cell(i32 i, i32 j) {
    GridPart& part = parts.back();
    u32 cell = static_cast<u32>(i) * static_cast<u32>(w) + static_cast<u32>(j);
    cells.push_back(cell);
    owner[cell] = static_cast<i32>(parts.size() - 1);
    part.size++;
    part.top = smaller(part.top, i);
    part.left = smaller(part.left, j);
    part.bottom = larger(part.bottom, i);
    part.right = larger(part.right, j);
  }

  void add_object(const Vm& vm, Value object) {
    begin_part();
    for (u32 k = 0; k < length(object); k++) {
      Value cell = item(vm, object, k);
      add_cell(pair_i(cell), pair_j(cell));
    }
  }

  void add_box(i32 top, i32 bottom, i32 left, i32 right) {
    begin_part();
    for (i32 i = top; i < bottom; i++)
      for (i32 j = left; j < right; j++) add_cell(i, j);
  }

  void cut_pieces() {
    i32 down = 1, across = 1;
    if (w > h && w % h == 0) across = w / h;
    else if (h > w && h % w == 0) down = h / w;
    else if (h == w && h % 2 == 0) down = across = 2;
    else if (w > h && w % 2 == 0) across = 2;
    else if (h > w && h % 2 == 0) down = 2;
    for (i32 i = 0; i < down; i++)
      for (i32 j = 0; j < across; j++) add_box(h / down * i, h / down * (i + 1), w / across * j, w / across * (j + 1));
  }

  bool cut_panels(Caller& caller) {
    Vm& vm = caller.vm();
    caller.begin();
    Scratch scratch(vm);
    LineColours rows, columns;
    u32 colour = find_separators(scratch, grid, rows, columns);
    if (stopped(vm)) return false;
    for (u32 top = 0, bottom; top < rows.n; top = bottom) {
      bottom = next_run(vm, rows, colour, top);
      if (top == rows.n) break;
      for (u32 left = 0, right; left < columns.n; left = right) {
        right = next_run(vm, columns, colour, left);
        if (left == columns.n) break;
        add_box(static_cast<i32>(top), static_cast<i32>(bottom), static_cast<i32>(left), static_cast<i32>(right));
      }
    }
    return true;
  }
};

}  // namespace batt
