// SPDX-License-Identifier: Apache-2.0
// ligament papers [NAME]: the experiments of the papers, with a verdict on each claim.

#include <fmt/format.h>

#include <ctime>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "apps/commands.h"
#include "apps/interrupt.h"
#include "apps/page.h"
#include "apps/progress.h"
#include "ligament/io/nearest.h"
#include "ligament/io/results.h"
#include "ligament/math/parallel.h"
#include "papers/report.h"

namespace ligament::apps {
namespace {

using papers::Experiment;
using papers::ExperimentEntry;
using papers::Finding;
using papers::Paper;

struct PapersArguments {
  std::string name = "all";
  std::string out = "results/papers";
  int threads = 0;  // 0: as many as the machine has
  bool quick = false;
  bool list = false;
  bool quiet = false;
};

// The experiments of "all", of a paper, or one of them: paper/experiment.
std::vector<Finding> choose_experiments(const std::string& name) {
  std::vector<Finding> chosen;
  std::vector<std::string> ids{"all"};
  for (const Paper& paper : papers::all_papers()) {
    ids.emplace_back(paper.name);
    for (const ExperimentEntry& entry : paper.experiments) {
      const Finding finding{.paper = &paper, .entry = &entry};
      ids.push_back(finding.id());
      if (name == "all" || name == paper.name || name == finding.id()) chosen.push_back(finding);
    }
  }
  const std::vector<std::string_view> known(ids.begin(), ids.end());
  if (chosen.empty())
    throw InputError(
        fmt::format("there is no paper or experiment \"{}\": {}", name, suggest(name, known)));
  return chosen;
}

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// An experiment that breaks off is a claim that does not hold, not a report that is missing.
Experiment run_experiment(const ExperimentEntry& entry, const papers::Effort& effort) {
  try {
    return entry.run(effort);
  } catch (const std::exception& error) {
    Experiment broken{.title = entry.name};
    broken.claims.push_back({.text = fmt::format("runs to its end: {}", error.what()),
                             .expected = 1.0,
                             .measured = 0.0,
                             .tolerance = papers::exactly(1.0)});
    return broken;
  }
}

void run_experiments(const PapersArguments& arguments, std::vector<Finding>& findings) {
  const papers::Effort effort{.quick = arguments.quick, .page = page()};
  const auto share = [&](const Finding& finding) {
    return effort.quick ? finding.entry->quick : finding.entry->seconds;
  };
  double total = 0.0, done = 0.0;
  for (const Finding& finding : findings) total += share(finding);
  Progress progress(0, arguments.quiet ? Progress::Mode::quiet : Progress::Mode::automatic);
  std::mutex mutex;
  const int threads = arguments.threads > 0
                          ? arguments.threads
                          : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  for_each_chunk(threads, findings.size(), 1, [&](std::size_t i, std::size_t, std::size_t) {
    if (interrupt_signal() != 0) return;
    Finding& finding = findings[i];
    {
      const std::scoped_lock lock(mutex);
      progress.show(done / total, finding.id());
    }
    const double start = cpu_seconds();
    finding.experiment = run_experiment(*finding.entry, effort);
    finding.cpu_seconds = cpu_seconds() - start;
    const std::scoped_lock lock(mutex);
    done += share(finding);
  });
}

void write_results(const std::vector<Finding>& findings, bool quick, ResultsFolder& folder) {
  std::vector<std::string> files;
  const auto write = [&](const std::string& name, const std::string& text) {
    write_text(folder.part(name), text);
    files.push_back(name);
  };
  for (const Finding& finding : findings) {
    for (const papers::Picture& picture : finding.experiment.pictures)
      write(fmt::format("{}-{}-{}.svg", finding.paper->name, finding.entry->name, picture.file),
            make_svg(picture.figure));
    for (const papers::Attachment& attachment : finding.experiment.attachments)
      write(attachment.file, attachment.text);
  }
  write("report.html", papers::make_report(findings, quick));
  write("papers.json", papers::make_papers_json(findings));
  folder.publish(files);
}

void print_verdicts(const std::vector<Finding>& findings) {
  for (const Finding& finding : findings) {
    const papers::Tally tally = papers::count_claims({&finding, 1});
    fmt::print("{:<44} {:>3} of {:>3} claims hold  {:>6.1f} s\n", finding.id(), tally.held,
               tally.claims, finding.cpu_seconds);
    for (const papers::Claim& claim : finding.experiment.claims)
      if (claim.verdict() == papers::Verdict::does_not_hold)
        fmt::print("  does not hold: {}\n    measured {:.6g}, accepted {:.6g} … {:.6g} {}\n",
                   claim.text, claim.measured, claim.tolerance.low, claim.tolerance.high,
                   claim.unit);
  }
}

void print_list() {
  for (const Paper& paper : papers::all_papers()) {
    fmt::print("{}: {}\n", paper.name, paper.reference);
    for (const ExperimentEntry& entry : paper.experiments)
      fmt::print("  {}/{}\n", paper.name, entry.name);
  }
}

int reproduce(const PapersArguments& arguments) {
  if (arguments.list) {
    print_list();
    return ok;
  }
  std::vector<Finding> findings = choose_experiments(arguments.name);
  ResultsFolder folder(arguments.out);  // a folder that cannot be made is told before the work
  catch_interrupts();
  run_experiments(arguments, findings);
  if (interrupt_signal() != 0) return 128 + interrupt_signal();
  write_results(findings, arguments.quick, folder);
  const papers::Tally tally = papers::count_claims(findings);
  if (!arguments.quiet) {
    print_verdicts(findings);
    fmt::print("{} of {} claims hold, {} more numbers cannot be compared\nreport  {}\n", tally.held,
               tally.claims, tally.not_comparable,
               (std::filesystem::path(arguments.out) / "report.html").string());
  }
  return tally.all_hold() ? ok : failed;
}

}  // namespace

void add_papers_command(CLI::App& app, int& exit_code) {
  CLI::App* command =
      app.add_subcommand("papers", "Reproduce the papers that the methods are from");
  auto arguments = std::make_shared<PapersArguments>();
  command->add_option("NAME", arguments->name,
                      "A paper, or paper/experiment, as --list shows them (default: all)");
  command->add_option("--out", arguments->out, "Folder of the report (default: results/papers)")
      ->type_name("FOLDER");
  command->add_flag("--quick", arguments->quick,
                    "Shorter runs: the same claims, in well under a minute");
  command->add_flag("--list", arguments->list, "Print the names of papers and experiments");
  command
      ->add_option("--threads", arguments->threads,
                   "Experiments at a time (default: as many as the machine has cores)")
      ->check(CLI::Range(1, 256))
      ->type_name("N");
  command->add_flag("--quiet", arguments->quiet,
                    "No progress bar, no verdicts: the exit code tells");
  command->callback([arguments, &exit_code] { exit_code = reproduce(*arguments); });
}

}  // namespace ligament::apps
