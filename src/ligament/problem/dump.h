// SPDX-License-Identifier: Apache-2.0
// A step problem as a text file: the form in which a step is kept, mailed and solved again.
//
//     ligament-step-problem 1
//     bodies N                                                     then N lines, bodies 0 … N−1:
//       body 3 mass M p P1 P2 P3
//       body 6 symmetric|general mass M rotation A11 A12 … A33 p P1 … P6
//     blocks B                                                     then B row blocks of G:
//       block ROWS LAW entries E
//       sigma S1 … S_ROWS
//       b B1 … B_ROWS
//       entry BODY G11 G12 …                                       E lines, ROWS × (3 or 6) numbers
//     end
//
// Lines that begin with # are notes for people and mean nothing.
//
// LAW is one of: equality, unilateral, box LOWER UPPER, disc RADIUS, cone MU, coulomb MU, and
// box_of ROW MU, disc_of ROW MU with a bound of MU times the impulse of that row. Matrices stand by
// rows, words are separated by blanks, leading blanks mean nothing. Units are those of
// step_problem.h.
//
// Numbers are written so that reading gives back the same bits. Reading checks everything and never
// asks for more memory than the file has text: a file that is not a step problem throws
// std::runtime_error with the line and what was expected there.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "ligament/problem/step_problem.h"

namespace ligament {

// Notes for people: whose step it is, and the names of bodies and row blocks, as many as there are.
struct DumpNotes {
  std::vector<std::string> head;
  std::vector<std::string> bodies;
  std::vector<std::string> blocks;
};

void write_dump(const StepProblem& problem, std::ostream& out, const DumpNotes& notes = {});
StepProblem read_dump(std::istream& in);

}  // namespace ligament
