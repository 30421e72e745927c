// Generated from the op table by `make opcodes`; do not edit.
// X(name, number, arity, cost class, kind) for every op, by family. For every other instruction X(name, number, what
// its first immediate is, least and most immediates, where routines begin among them, least and most operands, how many
// of these its routines do not get, whether it has a result, reads a counter, may stand in a leaf).
#pragma once
#include "../core/platform.h"

#define BATT_OPS_applying(X) \
  X(apply, 0, 2, ITEMS, LOOP) \
  X(rapply, 1, 2, ITEMS, LOOP) \
  X(mapply, 2, 2, ITEMS, LOOP) \
  X(papply, 3, 3, ITEMS, LOOP) \
  X(mpapply, 4, 3, ITEMS, LOOP) \
  X(prapply, 5, 3, OWN, LOOP)
#define BATT_OPS_arithmetic(X) \
  X(add, 6, 2, UNIT, KERNEL) \
  X(subtract, 7, 2, UNIT, KERNEL) \
  X(multiply, 8, 2, OWN, KERNEL) \
  X(divide, 9, 2, UNIT, KERNEL) \
  X(invert, 10, 1, UNIT, KERNEL) \
  X(double, 11, 1, UNIT, KERNEL) \
  X(halve, 12, 1, UNIT, KERNEL) \
  X(increment, 13, 1, UNIT, KERNEL) \
  X(decrement, 14, 1, UNIT, KERNEL) \
  X(crement, 15, 1, UNIT, KERNEL) \
  X(sign, 16, 1, UNIT, KERNEL) \
  X(even, 17, 1, UNIT, KERNEL) \
  X(positive, 18, 1, UNIT, KERNEL) \
  X(toivec, 19, 1, UNIT, KERNEL) \
  X(tojvec, 20, 1, UNIT, KERNEL)
#define BATT_OPS_choosing(X) \
  X(order, 21, 2, ITEMS, LOOP) \
  X(maximum, 22, 1, ITEMS, KERNEL) \
  X(minimum, 23, 1, ITEMS, KERNEL) \
  X(argmax, 24, 2, ITEMS, LOOP) \
  X(argmin, 25, 2, ITEMS, LOOP) \
  X(valmax, 26, 2, ITEMS, LOOP) \
  X(valmin, 27, 2, ITEMS, LOOP) \
  X(mostcommon, 28, 1, ITEMS, KERNEL) \
  X(leastcommon, 29, 1, ITEMS, KERNEL) \
  X(sizefilter, 30, 2, ITEMS, KERNEL) \
  X(colorfilter, 31, 2, ITEMS, KERNEL) \
  X(sfilter, 32, 2, ITEMS, LOOP) \
  X(mfilter, 33, 2, ITEMS, LOOP) \
  X(extract, 34, 2, ITEMS, LOOP)
#define BATT_OPS_colours(X) \
  X(mostcolor, 35, 1, ITEMS, KERNEL) \
  X(leastcolor, 36, 1, ITEMS, KERNEL) \
  X(palette, 37, 1, ITEMS, KERNEL) \
  X(numcolors, 38, 1, ITEMS, KERNEL) \
  X(colorcount, 39, 2, ITEMS, KERNEL) \
  X(color, 40, 1, ITEMS, KERNEL) \
  X(replace, 41, 3, ITEMS, KERNEL) \
  X(switch, 42, 3, ITEMS, KERNEL) \
  X(recolor, 43, 2, ITEMS, KERNEL)
#define BATT_OPS_containers(X) \
  X(size, 44, 1, UNIT, KERNEL) \
  X(contained, 45, 2, ITEMS, KERNEL) \
  X(combine, 46, 2, ITEMS, KERNEL) \
  X(intersection, 47, 2, ITEMS, KERNEL) \
  X(difference, 48, 2, ITEMS, KERNEL) \
  X(dedupe, 49, 1, ITEMS, KERNEL) \
  X(repeat, 50, 2, OWN, KERNEL) \
  X(merge, 51, 1, ITEMS, KERNEL) \
  X(initset, 52, 1, UNIT, KERNEL) \
  X(insert, 53, 2, ITEMS, KERNEL) \
  X(remove, 54, 2, ITEMS, KERNEL) \
  X(other, 55, 2, ITEMS, KERNEL) \
  X(totuple, 56, 1, ITEMS, KERNEL) \
  X(first, 57, 1, UNIT, KERNEL) \
  X(last, 58, 1, UNIT, KERNEL) \
  X(interval, 59, 3, OWN, KERNEL) \
  X(astuple, 60, 2, UNIT, KERNEL) \
  X(product, 61, 2, OWN, KERNEL) \
  X(pair, 62, 2, ITEMS, KERNEL)
#define BATT_OPS_drawing(X) \
  X(fill, 63, 3, ITEMS, KERNEL) \
  X(paint, 64, 2, ITEMS, KERNEL) \
  X(underfill, 65, 3, ITEMS, KERNEL) \
  X(underpaint, 66, 2, ITEMS, KERNEL) \
  X(cover, 67, 2, ITEMS, KERNEL) \
  X(move, 68, 3, ITEMS, KERNEL)
#define BATT_OPS_functions(X) \
  X(compose, 69, 2, UNIT, KERNEL) \
  X(chain, 70, 3, UNIT, KERNEL) \
  X(matcher, 71, 2, UNIT, KERNEL) \
  X(fork, 72, 3, UNIT, KERNEL) \
  X(lbind, 73, 2, UNIT, KERNEL) \
  X(rbind, 74, 2, UNIT, KERNEL) \
  X(power, 75, 2, UNIT, KERNEL)
#define BATT_OPS_grids(X) \
  X(canvas, 76, 2, OWN, KERNEL) \
  X(asindices, 77, 1, ITEMS, KERNEL) \
  X(asobject, 78, 1, ITEMS, KERNEL) \
  X(height, 79, 1, ITEMS, KERNEL) \
  X(width, 80, 1, ITEMS, KERNEL) \
  X(shape, 81, 1, ITEMS, KERNEL) \
  X(portrait, 82, 1, ITEMS, KERNEL) \
  X(square, 83, 1, ITEMS, KERNEL) \
  X(index, 84, 2, UNIT, KERNEL) \
  X(toobject, 85, 2, ITEMS, KERNEL) \
  X(ofcolor, 86, 2, ITEMS, KERNEL)
#define BATT_OPS_lines(X) \
  X(connect, 87, 2, OWN, KERNEL) \
  X(shoot, 88, 2, OWN, KERNEL) \
  X(hfrontier, 89, 1, UNIT, KERNEL) \
  X(vfrontier, 90, 1, UNIT, KERNEL) \
  X(box, 91, 1, OWN, KERNEL) \
  X(outbox, 92, 1, OWN, KERNEL) \
  X(inbox, 93, 1, OWN, KERNEL)
#define BATT_OPS_logic(X) \
  X(identity, 94, 1, UNIT, KERNEL) \
  X(flip, 95, 1, UNIT, KERNEL) \
  X(both, 96, 2, UNIT, KERNEL) \
  X(either, 97, 2, UNIT, KERNEL) \
  X(equality, 98, 2, ITEMS, KERNEL) \
  X(greater, 99, 2, ITEMS, KERNEL) \
  X(branch, 100, 3, UNIT, KERNEL)
#define BATT_OPS_mirrors(X) \
  X(rot90, 101, 1, ITEMS, KERNEL) \
  X(rot180, 102, 1, ITEMS, KERNEL) \
  X(rot270, 103, 1, ITEMS, KERNEL) \
  X(hmirror, 104, 1, ITEMS, KERNEL) \
  X(vmirror, 105, 1, ITEMS, KERNEL) \
  X(dmirror, 106, 1, ITEMS, KERNEL) \
  X(cmirror, 107, 1, ITEMS, KERNEL)
#define BATT_OPS_objects(X) \
  X(objects, 108, 4, ITEMS, KERNEL) \
  X(partition, 109, 1, ITEMS, KERNEL) \
  X(fgpartition, 110, 1, ITEMS, KERNEL) \
  X(frontiers, 111, 1, ITEMS, KERNEL)
#define BATT_OPS_patches(X) \
  X(toindices, 112, 1, ITEMS, KERNEL) \
  X(uppermost, 113, 1, ITEMS, KERNEL) \
  X(lowermost, 114, 1, ITEMS, KERNEL) \
  X(leftmost, 115, 1, ITEMS, KERNEL) \
  X(rightmost, 116, 1, ITEMS, KERNEL) \
  X(ulcorner, 117, 1, ITEMS, KERNEL) \
  X(urcorner, 118, 1, ITEMS, KERNEL) \
  X(llcorner, 119, 1, ITEMS, KERNEL) \
  X(lrcorner, 120, 1, ITEMS, KERNEL) \
  X(corners, 121, 1, ITEMS, KERNEL) \
  X(center, 122, 1, ITEMS, KERNEL) \
  X(centerofmass, 123, 1, ITEMS, KERNEL) \
  X(shift, 124, 2, ITEMS, KERNEL) \
  X(normalize, 125, 1, ITEMS, KERNEL) \
  X(vline, 126, 1, ITEMS, KERNEL) \
  X(hline, 127, 1, ITEMS, KERNEL) \
  X(bordering, 128, 2, ITEMS, KERNEL) \
  X(backdrop, 129, 1, OWN, KERNEL) \
  X(delta, 130, 1, OWN, KERNEL) \
  X(dneighbors, 131, 1, UNIT, KERNEL) \
  X(ineighbors, 132, 1, UNIT, KERNEL) \
  X(neighbors, 133, 1, UNIT, KERNEL)
#define BATT_OPS_relations(X) \
  X(hmatching, 134, 2, ITEMS, KERNEL) \
  X(vmatching, 135, 2, ITEMS, KERNEL) \
  X(manhattan, 136, 2, OWN, KERNEL) \
  X(adjacent, 137, 2, OWN, KERNEL) \
  X(position, 138, 2, ITEMS, KERNEL) \
  X(gravitate, 139, 2, OWN, KERNEL)
#define BATT_OPS_scaling(X) \
  X(hupscale, 140, 2, OWN, KERNEL) \
  X(vupscale, 141, 2, OWN, KERNEL) \
  X(upscale, 142, 2, OWN, KERNEL) \
  X(downscale, 143, 2, ITEMS, KERNEL) \
  X(hconcat, 144, 2, OWN, KERNEL) \
  X(vconcat, 145, 2, ITEMS, KERNEL) \
  X(crop, 146, 3, ITEMS, KERNEL) \
  X(subgrid, 147, 2, ITEMS, KERNEL) \
  X(trim, 148, 1, ITEMS, KERNEL) \
  X(tophalf, 149, 1, ITEMS, KERNEL) \
  X(bottomhalf, 150, 1, ITEMS, KERNEL) \
  X(lefthalf, 151, 1, ITEMS, KERNEL) \
  X(righthalf, 152, 1, ITEMS, KERNEL) \
  X(hsplit, 153, 2, OWN, KERNEL) \
  X(vsplit, 154, 2, OWN, KERNEL) \
  X(cellwise, 155, 3, ITEMS, KERNEL) \
  X(compress, 156, 1, ITEMS, KERNEL)
#define BATT_OPS_search(X) \
  X(occurrences, 157, 2, OWN, KERNEL) \
  X(hperiod, 158, 1, OWN, KERNEL) \
  X(vperiod, 159, 1, OWN, KERNEL)
#define BATT_OPS_python(X) \
  X(py_item, 160, 2, UNIT, KERNEL) \
  X(py_part, 161, 3, UNIT, KERNEL) \
  X(py_add, 162, 2, ITEMS, KERNEL) \
  X(py_sub, 163, 2, ITEMS, KERNEL) \
  X(py_mul, 164, 2, OWN, KERNEL) \
  X(py_floordiv, 165, 2, UNIT, KERNEL) \
  X(py_mod, 166, 2, UNIT, KERNEL) \
  X(py_neg, 167, 1, UNIT, KERNEL) \
  X(py_le, 168, 2, ITEMS, KERNEL) \
  X(frozenset, 169, 1, ITEMS, KERNEL)
#define BATT_OPS_falling(X) \
  X(fall, 170, 4, OWN, KERNEL)
#define BATT_OPS_layering(X) \
  X(choosecells, 171, 3, ITEMS, KERNEL) \
  X(paintorder, 172, 2, OWN, KERNEL)
#define BATT_OPS_panels(X) \
  X(panels, 173, 1, ITEMS, KERNEL) \
  X(panelrows, 174, 1, ITEMS, KERNEL) \
  X(dropblank, 175, 2, ITEMS, KERNEL) \
  X(mergelines, 176, 1, ITEMS, KERNEL)
#define BATT_OPS_rays(X) \
  X(rays, 177, 4, ITEMS, KERNEL) \
  X(joins, 178, 3, ITEMS, KERNEL)
#define BATT_OPS_regions(X) \
  X(spread, 179, 4, ITEMS, KERNEL) \
  X(outside, 180, 3, ITEMS, KERNEL) \
  X(inside, 181, 3, ITEMS, KERNEL) \
  X(holes, 182, 2, OWN, KERNEL)
#define BATT_OPS_repair(X) \
  X(retile, 183, 3, OWN, KERNEL) \
  X(mend, 184, 3, OWN, KERNEL) \
  X(inpaint, 185, 2, OWN, KERNEL)
#define BATT_OPS_roles(X) \
  X(backcolor, 186, 1, OWN, KERNEL) \
  X(newcolors, 187, 1, OWN, KERNEL) \
  X(lostcolors, 188, 1, OWN, KERNEL) \
  X(keptcolors, 189, 1, OWN, KERNEL) \
  X(outsize, 190, 2, OWN, KERNEL) \
  X(commoncells, 191, 2, OWN, KERNEL)
#define BATT_OPS_tiling(X) \
  X(tile, 192, 4, OWN, KERNEL) \
  X(mirrortile, 193, 4, OWN, KERNEL) \
  X(resize, 194, 2, OWN, KERNEL) \
  X(resizemost, 195, 3, OWN, KERNEL) \
  X(shrink, 196, 2, ITEMS, KERNEL)
#ifdef BATT_OWN_OPS
#include "batt_own_table.h"
#else
#define BATT_OPS_own(X)
#define BATT_OWN_COUNT 0
#define BATT_OWN_DIGEST 0
#endif
#define BATT_OPS(X) \
  BATT_OPS_applying(X) \
  BATT_OPS_arithmetic(X) \
  BATT_OPS_choosing(X) \
  BATT_OPS_colours(X) \
  BATT_OPS_containers(X) \
  BATT_OPS_drawing(X) \
  BATT_OPS_functions(X) \
  BATT_OPS_grids(X) \
  BATT_OPS_lines(X) \
  BATT_OPS_logic(X) \
  BATT_OPS_mirrors(X) \
  BATT_OPS_objects(X) \
  BATT_OPS_patches(X) \
  BATT_OPS_relations(X) \
  BATT_OPS_scaling(X) \
  BATT_OPS_search(X) \
  BATT_OPS_python(X) \
  BATT_OPS_falling(X) \
  BATT_OPS_layering(X) \
  BATT_OPS_panels(X) \
  BATT_OPS_rays(X) \
  BATT_OPS_regions(X) \
  BATT_OPS_repair(X) \
  BATT_OPS_roles(X) \
  BATT_OPS_tiling(X) \
  BATT_OPS_own(X)
// The ops that a kernel is compiled with: new words take room in an SM's instruction cache, and few programs use them.
#if defined(__CUDACC__) && !defined(BATT_NEW_WORDS)
#define BATT_COMPILED_OPS(X) \
  BATT_OPS_applying(X) \
  BATT_OPS_arithmetic(X) \
  BATT_OPS_choosing(X) \
  BATT_OPS_colours(X) \
  BATT_OPS_containers(X) \
  BATT_OPS_drawing(X) \
  BATT_OPS_functions(X) \
  BATT_OPS_grids(X) \
  BATT_OPS_lines(X) \
  BATT_OPS_logic(X) \
  BATT_OPS_mirrors(X) \
  BATT_OPS_objects(X) \
  BATT_OPS_patches(X) \
  BATT_OPS_relations(X) \
  BATT_OPS_scaling(X) \
  BATT_OPS_search(X) \
  BATT_OPS_python(X) \
  BATT_OPS_own(X)
#else
#define BATT_COMPILED_OPS(X) BATT_OPS(X)
#endif
#define BATT_INSTRUCTIONS(X) \
  X(TUPLE, 1024, NO_IMMEDIATE, 0, 0, 0, 0, 4096, 0, true, false, true) \
  X(LOOP, 1025, LOOP_OP, 2, 2, 1, 0, 4096, 0, true, false, false) \
  X(REPEAT, 1026, ROUTINE_NUMBER, 1, 1, 0, 2, 4096, 1, true, false, false) \
  X(SELECT_TRUTH, 1027, ROUTINE_NUMBER, 2, 2, 0, 1, 4096, 1, true, false, false) \
  X(SELECT_NUMBER, 1028, ROUTINE_NUMBER, 1, 4096, 0, 1, 4096, 1, true, false, false) \
  X(INVOKE, 1029, ROUTINE_NUMBER, 1, 1, 0, 0, 4096, 0, true, false, false) \
  X(COUNT, 1030, NO_IMMEDIATE, 0, 0, 0, 1, 1, 0, true, false, false) \
  X(CHARGE, 1031, STEPS, 2, 2, 2, 0, 4096, 0, false, false, true) \
  X(LIMIT, 1032, STEPS, 2, 2, 2, 0, 0, 0, false, false, false) \
  X(RAISE, 1033, ERROR_KIND, 1, 1, 1, 0, 0, 0, false, false, false) \
  X(RECHARGE, 1034, NO_IMMEDIATE, 0, 0, 0, 0, 0, 0, false, true, true) \
  X(RECHARGE_STAGE, 1035, STAGE_ENTRY, 1, 1, 1, 0, 0, 0, false, false, false) \
  X(CALL, 1036, NO_IMMEDIATE, 0, 0, 0, 1, 4096, 0, true, false, false) \
  X(RETURN, 1037, NO_IMMEDIATE, 0, 0, 0, 1, 1, 0, false, false, true)

namespace batt {

enum CostClass : u8 { COST_ITEMS, COST_UNIT, COST_OWN };
enum OpKind : u8 { KERNEL, LOOP };
enum Op : u32 {
#define X(name, number, arity, cost, kind) OP_##name = number,
  BATT_OPS(X)
#undef X
};
constexpr u32 OP_COUNT = 197 + BATT_OWN_COUNT;
constexpr u32 TABLE_DIGEST = 0x67ae566cu ^ BATT_OWN_DIGEST;
constexpr u32 MAX_ARITY = 4;
constexpr u32 MAX_OPERANDS = 4096;
enum Immediate : u32 { NO_IMMEDIATE, LOOP_OP, ROUTINE_NUMBER, STEPS, ERROR_KIND, STAGE_ENTRY };
namespace code { enum Code : u32 {
#define X(name, number, ...) name = number,
  BATT_INSTRUCTIONS(X)
#undef X
}; }

BATT_TABLE u8 OP_ARITY[] = {
#define X(name, number, arity, cost, kind) arity,
  BATT_OPS(X)
#undef X
};
BATT_TABLE u8 OP_COST[] = {
#define X(name, number, arity, cost, kind) COST_##cost,
  BATT_OPS(X)
#undef X
};
BATT_TABLE u8 OP_KIND[] = {
#define X(name, number, arity, cost, kind) kind,
  BATT_OPS(X)
#undef X
};

BATT_INLINE const char* op_name(u32 op) {
  switch (op) {
#define X(name, number, arity, cost, kind) case number: return #name;
    BATT_OPS(X)
#undef X
    default: return "";
  }
}

}  // namespace batt
