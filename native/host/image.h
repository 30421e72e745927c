// Load bytecode. Every rule of docs/bytecode.md is checked here, so that no image can make the machine leave its
// memory. Host only.
#pragma once
#include <algorithm>
#include <utility>

#include "../machine/stage.h"
#include "wire.h"

namespace batt {

constexpr u32 MAGIC = 0x54544142, VERSION = 1, HEADER_WORDS = 12, ROUTINE_WORDS = 7;
constexpr u32 MOST_SLOTS = 65536;

enum Flaw : u32 {
  SOUND,
  BAD_HEADER,
  OTHER_TABLE,
  BAD_SIZES,
  BAD_CONSTANT,
  BAD_ROUTINE,
  BAD_SLICE,
  BAD_STAGE,
  BAD_INSTRUCTION,
  BAD_OPERAND,
  BAD_BODY,
  NO_RETURN,
  NO_MEMORY
};

inline const char* flaw_text(u32 flaw) {
  static const char* const texts[] = {"sound",
                                      "not bytecode of this version",
                                      "made from another table of ops",
                                      "the sections do not fill the words",
                                      "a constant that is not a value",
                                      "a routine out of range",
                                      "a slice out of range",
                                      "a stage entry out of range",
                                      "an unknown or malformed instruction",
                                      "an operand out of range, or read before it is written",
                                      "a body out of range, or with the wrong parameters",
                                      "a routine that does not end in RETURN",
                                      "not enough memory"};
  return flaw < sizeof texts / sizeof *texts ? texts[flaw] : "unknown";
}

// The form of an instruction, from its record in batt.bytecode.opcodes.
struct Form {
  u32 first;  // an Immediate
  u32 least_immediates, most_immediates, routines_at, least_operands, most_operands, kept;
  bool has_result, reads_counter, in_leaf;
};

inline Form form_of(u32 code) {
  if (code < OP_COUNT)
    return Form{NO_IMMEDIATE, 0, 0, 0, OP_ARITY[code], OP_ARITY[code], 0, true, false, OP_KIND[code] == KERNEL};
  switch (code) {
#define X(name, number, ...) \
  case number: return Form{__VA_ARGS__};
    BATT_INSTRUCTIONS(X)
#undef X
    default: return Form{NO_IMMEDIATE, 0, 0, 0, 1, 0, 0, false, false, false};  // no number of operands is valid
  }
}

struct LoadedProgram {
  std::vector<u32> code;
  std::vector<Value> constants;
  std::vector<Routine> routines;
  std::vector<HelperName> names;
  std::vector<u8> pool;
  std::vector<u32> slices;
  std::vector<StageRow> stage;
  Store store;

  Program program() const {
    return Program{reinterpret_cast<Addr>(code.data()), reinterpret_cast<Addr>(constants.data()),
                   reinterpret_cast<Addr>(routines.data())};
  }
};

class Loader {
 public:
  Loader(LoadedProgram& made, const u32* image, u64 image_words, const u8* bytes, u64 byte_count)
      : p(made), words(image), count(image_words), pool(bytes), pool_bytes(byte_count) {}

  u32 flaw = SOUND;
  u64 where = 0;  // the word at which it is

  bool load() {
    if (!read_header()) return false;
    p.pool.assign(pool, pool + pool_bytes);
    p.code.assign(words + code_at, words + count);
    return read_routines() && read_constants() && check_routines() && read_slices() && read_stage() && check_closed();
  }

 private:
  LoadedProgram& p;
  const u32* words;
  u64 count;
  const u8* pool;
  u64 pool_bytes;
  u64 constants_at = 0, routines_at = 0, slices_at = 0, stage_at = 0, code_at = 0;
  u32 constants = 0, routines = 0, slices = 0, stages = 0;
  // By routine:
  static constexpr u8 READS_PARAMETER = 8;
  std::vector<u8> reads_input;     // bit k is set if it reads input k, READS_PARAMETER if it reads a parameter
  std::vector<u8> is_body;         // an instruction names it as a body
  std::vector<u8> is_helper;       // a constant names it as a function
  std::vector<u32> highest_stage;  // one more than the last stage entry that it or its bodies read

  bool fail(Flaw found, u64 at) {
    if (flaw == SOUND) {
      flaw = found;
      where = at;
    }
    return false;
  }

  bool read_header() {
    if (count < HEADER_WORDS || words[0] != MAGIC || words[1] != VERSION) return fail(BAD_HEADER, 0);
    if (words[2] != TABLE_DIGEST) return fail(OTHER_TABLE, 2);
    constants = words[5];
    routines = words[6];
    slices = words[7];
    stages = words[8];
    constants_at = HEADER_WORDS;
    routines_at = constants_at + constants;
    slices_at = routines_at + static_cast<u64>(ROUTINE_WORDS) * routines;
    stage_at = slices_at + slices;
    code_at = stage_at + 2ull * stages;
    if (words[3] != count || words[4] != pool_bytes || code_at + words[9] != count) return fail(BAD_SIZES, 3);
    if (words[10] || words[11]) return fail(BAD_HEADER, 10);
    if (routines >= 1u << 20 || constants >= 1u << 28 || stages >= 1u << 28) return fail(BAD_SIZES, 5);
    return true;
  }

  bool read_routines() {
    u64 code_words = count - code_at;
    std::vector<std::pair<u32, u32>> ranges;
    for (u32 k = 0; k < routines; k++) {
      u64 at = routines_at + static_cast<u64>(ROUTINE_WORDS) * k;
      const u32* w = words + at;
      bool good = w[0] <= code_words && w[1] <= code_words - w[0] && w[1] && w[2] <= MAX_OPERANDS &&
                  w[3] <= MOST_SLOTS && w[4] <= MOST_SLOTS && w[5] <= pool_bytes && w[6] <= pool_bytes - w[5];
      if (!good) return fail(BAD_ROUTINE, at);
      p.routines.push_back(Routine{w[0], w[1], w[2], w[3], w[4], w[5], w[6], PLAIN_LEAF});
      p.names.push_back(HelperName{reinterpret_cast<Addr>(p.pool.data()) + w[5], w[6]});
      ranges.emplace_back(w[0], w[0] + w[1]);
      for (u32 c = 0; c < w[6]; c++)
        if (pool[w[5] + c] >= 0x80) return fail(BAD_ROUTINE, at + 5);
    }
    std::sort(ranges.begin(), ranges.end());
    for (u64 k = 1; k < ranges.size(); k++)
      if (ranges[k].first < ranges[k - 1].second) return fail(BAD_ROUTINE, routines_at);
    reads_input.assign(routines, 0);
    is_body.assign(routines, 0);
    is_helper.assign(routines, 0);
    highest_stage.assign(routines, 0);
    return true;
  }

  bool read_constants() {
    std::vector<u32> arities;
    for (const Routine& each : p.routines) arities.push_back(each.params);
    for (u32 k = 0; k < constants; k++) {
      u32 offset = words[constants_at + k];
      if (offset >= pool_bytes) return fail(BAD_CONSTANT, constants_at + k);
      WireReader reader{pool, pool_bytes};
      reader.at = offset;
      reader.routines = routines;
      reader.arities = arities.data();
      reader.helpers_used = &is_helper;
      p.store.vm.helper_names = reinterpret_cast<Addr>(p.names.data());
      Value value = reader.read_into(p.store);
      if (reader.bad) return fail(BAD_CONSTANT, constants_at + k);
      p.constants.push_back(value);
    }
    return true;
  }

  struct Check {
    u32 number;  // of the routine
    const Routine& routine;
    std::vector<u8> written;  // slots
    std::vector<u8> counted;  // counters
  };

  bool check_routines() {
    for (u32 k = 0; k < routines; k++) {
      const Routine& r = p.routines[k];
      Check check{k, r, std::vector<u8>(r.slots, 0), std::vector<u8>(r.counters, 0)};
      u64 at = r.start, end = static_cast<u64>(r.start) + r.words;
      bool ended = false;
      while (at < end) {
        if (ended) return fail(NO_RETURN, code_at + at);
        if (!check_instruction(check, at, end, ended)) return false;
      }
      if (!ended) return fail(NO_RETURN, code_at + end);
      if (is_only(r, OP_connect, 0) || is_only(r, OP_connect, 1)) p.routines[k].is_leaf = CONNECTING;
      if (is_only(r, OP_manhattan, 0) || is_only(r, OP_manhattan, 1)) p.routines[k].is_leaf = MEASURING;
      if (is_only(r, OP_shift, 1)) p.routines[k].is_leaf = SHIFTING;
    }
    for (Routine& r : p.routines)
      if (!r.is_leaf && only_nests(r)) r.is_leaf = NESTING;
    return true;
  }

  // Whether a routine is a leaf but for loops over plain leaves. `valmax` and `valmin` call their bodies once more.
  bool only_nests(const Routine& r) const {
    for (u32 at = r.start; at < r.start + r.words;) {
      const u32* w = p.code.data() + at;
      u32 opcode = w[0] & 0xffffu;
      if (opcode == code::LOOP) {
        u32 body = p.routines[w[5]].is_leaf;
        if (picks_value(w[4]) || (body != PLAIN_LEAF && body != MEASURING)) return false;
      } else if (!form_of(opcode).in_leaf) {
        return false;
      }
      at += 4 + w[3] + (w[0] >> 16);
    }
    return true;
  }

  // R0 := op(A0, A1), or op(A1, A0) if `first` is 1; return R0
  bool is_only(const Routine& r, u32 op, u32 first) const {
    const u32* w = p.code.data() + r.start;
    constexpr u32 ARGUMENTS = ARGUMENT << 28;
    return r.is_leaf && r.params == 2 && r.words == 11 && w[0] == (op | 2u << 16) && w[1] != NOTHING &&
           w[4] == (ARGUMENTS | first) && w[5] == (ARGUMENTS | (1 - first)) && w[10] == w[1];
  }

  bool check_instruction(Check& check, u64& at, u64 end, bool& ended) {
    if (end - at < 4) return fail(BAD_INSTRUCTION, code_at + at);
    const u32* w = p.code.data() + at;
    Instruction i{w[0] & 0xffffu, w[0] >> 16, w[1], w[2], w[3], 0};
    u64 length = 4ull + i.immediates + i.operands;
    if (i.operands > MAX_OPERANDS || i.immediates > MAX_OPERANDS || length > end - at)
      return fail(BAD_INSTRUCTION, code_at + at);
    const u32* immediates = w + 4;
    Form form = form_of(i.code);
    if (!check_shape(form, i, immediates)) return fail(BAD_INSTRUCTION, code_at + at);
    if (!check_bodies(check, form, i, immediates)) return fail(BAD_BODY, code_at + at);
    for (u32 k = 0; k < i.operands; k++)
      if (!check_operand(check, w[4 + i.immediates + k])) return fail(BAD_OPERAND, code_at + at + 4 + i.immediates + k);
    if (!check_effects(check, form, i, immediates)) return fail(BAD_OPERAND, code_at + at);
    ended = i.code == code::RETURN;
    if (!form.in_leaf) p.routines[check.number].is_leaf = 0;
    at += length;
    return true;
  }

  // Check the numbers of immediates and operands, and the immediates that are not routines.
  static bool check_shape(const Form& form, const Instruction& i, const u32* immediates) {
    if (i.immediates < form.least_immediates || i.immediates > form.most_immediates) return false;
    if (i.operands < form.least_operands || i.operands > form.most_operands) return false;
    switch (form.first) {
      case LOOP_OP:
        return immediates[0] < OP_COUNT && OP_KIND[immediates[0]] == LOOP && immediates[0] != OP_rapply &&
               i.operands >= OP_ARITY[immediates[0]] - 1u;
      case STEPS: return immediates[1] < 1u << 30;
      case ERROR_KIND: return immediates[0] >= 1 && immediates[0] <= ZERO_DIVISION_ERROR;
      default: return true;
    }
  }

  bool check_bodies(const Check& check, const Form& form, const Instruction& i, const u32* immediates) {
    for (u32 k = form.routines_at; k < i.immediates; k++) {
      // Bodies have smaller numbers, so that none calls itself. A loop passes an item of each of its containers.
      if (immediates[k] >= check.number || p.routines[immediates[k]].params != i.operands - form.kept) return false;
      is_body[immediates[k]] = 1;
      highest_stage[check.number] = larger(highest_stage[check.number], highest_stage[immediates[k]]);
    }
    return true;
  }

  bool check_operand(const Check& check, u32 word) {
    u32 index = word & 0x0fffffffu;
    switch (word >> 28) {
      case SLOT: return index < check.routine.slots && check.written[index];
      case CONSTANT: return index < constants;
      case INPUT:
        if (index >= 3) return false;
        reads_input[check.number] = static_cast<u8>(reads_input[check.number] | 1u << index);
        return true;
      case ARGUMENT: return index < check.routine.params;
      case STAGE: return read_stage_entry(check.number, index);
      case PARAMETER:
        if (index >= MAX_PARAMETERS) return false;
        reads_input[check.number] |= READS_PARAMETER;
        return true;
      default: return false;
    }
  }
  bool read_stage_entry(u32 routine, u32 index) {
    highest_stage[routine] = larger(highest_stage[routine], index + 1);
    return index < stages;
  }

  bool check_effects(Check& check, const Form& form, const Instruction& i, const u32* immediates) {
    if (form.reads_counter)
      return i.target == NOTHING && i.counter < check.routine.counters && check.counted[i.counter];
    if (form.first == STAGE_ENTRY && !read_stage_entry(check.number, immediates[0])) return false;
    if (!form.has_result) return i.target == NOTHING && i.counter == NOTHING;
    if (i.target != NOTHING) {
      if (i.target >= check.routine.slots) return false;
      check.written[i.target] = 1;
    }
    if (i.counter != NOTHING) {
      if (i.counter >= check.routine.counters) return false;
      check.counted[i.counter] = 1;
    }
    return true;
  }

  bool read_slices() {
    for (u32 k = 0; k < slices; k++) {
      u32 routine = words[slices_at + k];
      if (routine >= routines || p.routines[routine].params) return fail(BAD_SLICE, slices_at + k);
      p.slices.push_back(routine);
    }
    return true;
  }

  // A stage entry is one instruction and RETURN, and reads only entries before it; levels never fall.
  bool read_stage() {
    u32 last_level = 0;
    for (u32 k = 0; k < stages; k++) {
      u64 at = stage_at + 2ull * k;
      StageRow row{words[at], words[at + 1]};
      if (row.level > 3 || row.level < last_level || row.routine >= routines || p.routines[row.routine].params)
        return fail(BAD_STAGE, at);
      const Routine& r = p.routines[row.routine];
      const u32* w = p.code.data() + r.start;
      u64 first = 4ull + w[3] + (w[0] >> 16);
      if (first >= r.words || (w[first] & 0xffffu) != code::RETURN || highest_stage[row.routine] > k)
        return fail(BAD_STAGE, at);
      // Constants depend on no sample, values of a task on its demonstrations only, those of a sample on no parameter.
      constexpr u32 NOT_READ[] = {7u | READS_PARAMETER, 6u | READS_PARAMETER, READS_PARAMETER, 0};
      if (reads_input[row.routine] & NOT_READ[row.level]) return fail(BAD_STAGE, at);
      last_level = row.level;
      p.stage.push_back(row);
    }
    return true;
  }

  // Bodies and helpers read no input. A helper reads no staged value, a body only constants.
  bool check_closed() {
    u32 constant_entries = 0;
    while (constant_entries < stages && p.stage[constant_entries].level == 0) constant_entries++;
    for (u32 k = 0; k < routines; k++) {
      u32 most = is_helper[k] ? 0 : constant_entries;
      if ((is_body[k] || is_helper[k]) && (reads_input[k] || highest_stage[k] > most))
        return fail(BAD_BODY, routines_at + static_cast<u64>(ROUTINE_WORDS) * k);
    }
    return true;
  }
};

}  // namespace batt
