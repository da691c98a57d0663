// SPDX-License-Identifier: Apache-2.0
#include "papers/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>

namespace ligament::papers {
namespace {

constexpr const char* page_style =
    "body{margin:32px auto;max-width:980px;padding:0 16px;line-height:1.5;"
    "font-family:'DejaVu Sans',Verdana,sans-serif;font-size:15px;color:#1c2128;background:#fff}"
    "h1,h2,h3{line-height:1.25}h2{margin-top:2.2em;border-bottom:1px solid #d0d7de}"
    "h3{margin-top:2em}a{color:#0072b2}svg{max-width:100%;height:auto}"
    "figure{margin:16px 0}figcaption,caption{font-size:13px;color:#57606a;text-align:left}"
    "table{border-collapse:collapse;margin:12px 0;font-size:13px;display:block;overflow-x:auto}"
    "th,td{border:1px solid #d0d7de;padding:4px 8px;text-align:left;vertical-align:top}"
    "td.n{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}"
    ".yes{color:#00674a;font-weight:bold}.no{color:#b3261e;font-weight:bold}"
    ".wrong{border-left:4px solid #e69f00;padding:2px 12px;margin:10px 0}"
    ".small{font-size:13px;color:#57606a}"
    "@media (prefers-color-scheme:dark){body{color:#e6eaef;background:#14181d}"
    "h2,th,td{border-color:#3a444f}figcaption,caption,.small{color:#9aa5b1}a{color:#4ba3e3}"
    ".yes{color:#3fc79a}.no{color:#ff8a80}}"
    "@media print{body{margin:0;max-width:none;font-size:11px}table{display:table;font-size:9px}"
    "figcaption,caption,.small{font-size:9px}.wide td.n{white-space:normal}"
    "tr,figure,.wrong{break-inside:avoid}h2,h3{break-after:avoid}}";

// So many digits, and all of a small whole number.
std::string number(double value, int digits) {
  if (std::isnan(value)) return "none";
  if (std::isinf(value)) return value > 0.0 ? "infinite" : "minus infinite";
  if (value == std::floor(value) && std::abs(value) < 1e6) return fmt::format("{:.0f}", value);
  return fmt::format("{:.{}g}", value, digits);
}

// Four digits, or as many as tell what is expected from what is no longer accepted.
int count_digits(const Claim& claim) {
  const auto& [low, high] = claim.tolerance;
  double finest = std::numeric_limits<double>::infinity(), size = 0.0;
  for (const double room : {high - low, high - claim.expected, claim.expected - low})
    if (room > 0.0) finest = std::min(finest, room);
  for (const double value : {low, high, claim.expected})
    if (std::isfinite(value)) size = std::max(size, std::abs(value));
  if (std::isinf(finest) || size == 0.0) return 4;
  return std::clamp(
      2 + static_cast<int>(std::floor(std::log10(size)) - std::floor(std::log10(finest))), 4, 15);
}

std::string describe_band(const Claim& claim) {
  const int digits = count_digits(claim);
  const auto& [low, high] = claim.tolerance;
  if (low == high) return "exactly " + number(low, digits);
  if (std::isinf(low) && std::isinf(high)) return "any";
  if (std::isinf(low)) return "≤ " + number(high, digits);
  if (std::isinf(high)) return "≥ " + number(low, digits);
  const double room = 0.5 * (high - low);
  if (std::abs(low + room - claim.expected) < 1e-6 * room)
    return fmt::format("{} ± {:.2g}", number(claim.expected, digits), room);
  return fmt::format("{} … {}", number(low, digits), number(high, digits));
}

std::string with_unit(const std::string& text, const std::string& unit) {
  return unit.empty() || text == "none" ? text : text + " " + unit;
}

const char* show(Verdict verdict) {
  switch (verdict) {
    case Verdict::holds: return "<span class=\"yes\">holds</span>";
    case Verdict::does_not_hold: return "<span class=\"no\">does not hold</span>";
    case Verdict::not_comparable: return "not comparable";
  }
  return "";
}

// Why the band is what it is, or why there is none.
std::string reason_of(const Claim& claim) {
  if (claim.unknown.empty()) return claim.reason;
  return "Setup not given: " + claim.unknown;
}

std::string describe_rest(const Tally& tally) {
  if (tally.not_comparable == 0) return "";
  return fmt::format("; {} more numbers cannot be compared, for their setup is not given",
                     tally.not_comparable);
}

std::string anchor_of(const Finding& finding) {
  return fmt::format("{}-{}", finding.paper->name, finding.entry->name);
}

// Writes the page, piece by piece.
class Page {
 public:
  Page(std::span<const Finding> findings, bool quick) : findings_(findings), quick_(quick) {}

  std::string write() {
    add("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<meta name=\"color-scheme\" content=\"light dark\"><link rel=\"icon\" href=\"data:,\">\n"
        "<title>The papers behind Ligament, reproduced</title>\n<style>{}{}</style></head>\n<body>",
        figure_style(), page_style);
    write_overview();
    for (std::size_t i = 0; i < findings_.size(); ++i) {
      const Paper& paper = *findings_[i].paper;
      if (i == 0 || findings_[i - 1].paper != &paper) write_paper(paper);
      write_experiment(findings_[i]);
      if (is_last_of_paper(i)) write_misprints(paper);
    }
    add("</body></html>\n");
    return std::move(text_);
  }

 private:
  template <class... Values>
  void add(fmt::format_string<Values...> format, Values&&... values) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Values>(values)...);
  }

  void write_overview() {
    const Tally all = count_claims(findings_);
    add("<h1 id=\"top\">The papers behind Ligament, reproduced</h1>\n<p>{} of {} claims hold{}. "
        "Made by "
        "<code>ligament papers{}</code> on this machine, from the simulations themselves.</p>\n",
        all.held, all.claims, describe_rest(all), quick_ ? " --quick" : "");
    write_failures();
    add("<p><b>How to read it.</b> A claim is a sentence with a number. <i>Expected</i> is what "
        "the "
        "corrected method gives: a closed form, or the value of an independent prototype, whose "
        "notes the experiments follow; none, where they have a range or a direction and no number. "
        "<i>Accepted</i> is where the measured number must lie; the "
        "reason is below the claim. Numbers of the prototype whose setup is not given stand beside "
        "ours and are not judged. Where a paper itself is not right, a marked paragraph says what "
        "it has and why that cannot be. Every figure and scene can be made anew: the command is "
        "below each title.</p>\n<table><tr><th>experiment</th><th>where</th>"
        "<th>claims that hold</th><th>not judged</th><th>corrections</th><th>verdict</th>"
        "<th>processor time</th></tr>\n");
    for (std::size_t i = 0; i < findings_.size(); ++i) {
      const Paper& paper = *findings_[i].paper;
      if (i == 0 || findings_[i - 1].paper != &paper)
        add("<tr><th colspan=\"7\"><a href=\"#{0}\">{0}</a></th></tr>\n",
            escape_markup(paper.name));
      write_summary(findings_[i]);
      if (is_last_of_paper(i))
        add("<tr><td colspan=\"7\"><a href=\"#{}-misprints\">Misprints and slips</a>: {}</td>"
            "</tr>\n",
            escape_markup(paper.name), paper.misprints.size());
    }
    add("</table>\n");
  }

  // What does not hold comes first.
  void write_failures() {
    for (const Finding& finding : findings_)
      for (const Claim& claim : finding.experiment.claims)
        if (claim.verdict() == Verdict::does_not_hold)
          add("<p><span class=\"no\">Does not hold</span>, <a href=\"#{}\">{}</a>: {}</p>\n",
              anchor_of(finding), escape_markup(finding.experiment.title),
              escape_markup(claim.text));
  }

  void write_summary(const Finding& finding) {
    const Tally tally = count_claims({&finding, 1});
    const auto count = [](auto number) { return number > 0 ? fmt::format("{}", number) : ""; };
    add("<tr><td><a href=\"#{}\">{}</a></td><td>{}</td><td class=\"n\">{} of {}</td>"
        "<td class=\"n\">{}</td><td class=\"n\">{}</td><td>{}</td><td class=\"n\">{:.1f} s</td>"
        "</tr>\n",
        anchor_of(finding), escape_markup(finding.experiment.title),
        escape_markup(finding.experiment.source), tally.held, tally.claims,
        count(tally.not_comparable),
        count(std::ranges::count_if(finding.experiment.claims,
                                    [](const Claim& c) { return !c.correction.empty(); })),
        show(tally.all_hold() ? Verdict::holds : Verdict::does_not_hold), finding.cpu_seconds);
  }

  bool is_last_of_paper(std::size_t i) const {
    return i + 1 == findings_.size() || findings_[i + 1].paper != findings_[i].paper;
  }

  void write_paper(const Paper& paper) {
    add("<h2 id=\"{0}\">{0}</h2>\n<p>{1}</p>\n<p>{2}</p>\n", escape_markup(paper.name),
        escape_markup(paper.reference), escape_markup(paper.summary));
  }

  void write_misprints(const Paper& paper) {
    add("<h3 id=\"{}-misprints\">Misprints and slips</h3>\n<p class=\"small\">Besides what the "
        "experiments above correct.</p>\n<table><tr><th>where</th>"
        "<th>printed</th><th>should be</th></tr>\n",
        escape_markup(paper.name));
    for (const Misprint& one : paper.misprints)
      add("<tr><td>{}</td><td>{}</td><td>{}</td></tr>\n", escape_markup(one.where),
          escape_markup(one.printed), escape_markup(one.correct));
    add("</table>\n");
  }

  void write_experiment(const Finding& finding) {
    const Experiment& experiment = finding.experiment;
    add("<h3 id=\"{}\">{}</h3>\n<p class=\"small\">{} · <code>ligament papers {}</code> · "
        "<a href=\"#top\">overview</a></p>\n",
        anchor_of(finding), escape_markup(experiment.title), escape_markup(experiment.source),
        finding.id());
    write_paragraph("The paper says", experiment.paper_says);
    write_paragraph("What was run", experiment.we_did);
    write_claims(experiment.claims);
    for (std::size_t i = 0; i < experiment.pictures.size(); ++i) {
      const Picture& picture = experiment.pictures[i];
      add("<figure>{}<figcaption>{}</figcaption></figure>\n",
          make_svg_element(picture.figure, fmt::format("{}-{}", anchor_of(finding), i)),
          escape_markup(picture.caption));
    }
    for (const Table& table : experiment.tables) write_table(table);
    for (const std::string& remark : experiment.remarks) add("<p>{}</p>\n", escape_markup(remark));
    for (const Attachment& attachment : experiment.attachments)
      add("<p><a href=\"{}\">{}</a></p>\n", escape_markup(attachment.file),
          escape_markup(attachment.caption));
  }

  void write_paragraph(const char* head, const std::string& text) {
    if (!text.empty()) add("<p><b>{}.</b> {}</p>\n", head, escape_markup(text));
  }

  void write_claims(const std::vector<Claim>& claims) {
    if (claims.empty()) return;
    add("<table><tr><th>claim</th><th>where</th><th>expected</th><th>measured</th>"
        "<th>accepted</th><th>verdict</th></tr>\n");
    for (const Claim& claim : claims) {
      const int digits = count_digits(claim);
      const std::string why = reason_of(claim);
      const std::string reason =
          why.empty() ? "" : fmt::format("<br><span class=\"small\">{}</span>", escape_markup(why));
      add("<tr><td>{}{}</td><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td>"
          "<td class=\"n\">{}</td><td>{}</td></tr>\n",
          escape_markup(claim.text), reason, escape_markup(claim.source),
          escape_markup(with_unit(number(claim.expected, digits), claim.unit)),
          escape_markup(with_unit(number(claim.measured, digits), claim.unit)),
          claim.unknown.empty() ? describe_band(claim) : "", show(claim.verdict()));
    }
    add("</table>\n");
    for (const Claim& claim : claims)
      if (!claim.correction.empty())
        add("<div class=\"wrong\"><b>Correction to {}.</b> {}</div>\n", escape_markup(claim.source),
            escape_markup(claim.correction));
  }

  void write_table(const Table& table) {
    add("<table class=\"wide\"><caption>{}</caption><tr>", escape_markup(table.caption));
    for (const std::string& cell : table.head) add("<th>{}</th>", escape_markup(cell));
    add("</tr>\n");
    for (const std::vector<std::string>& row : table.rows) {
      add("<tr>");
      for (std::size_t i = 0; i < row.size(); ++i)
        add("<td{}>{}</td>", i == 0 ? "" : " class=\"n\"", escape_markup(row[i]));
      add("</tr>\n");
    }
    add("</table>\n");
  }

  std::span<const Finding> findings_;
  bool quick_;
  std::string text_;
};

nlohmann::ordered_json finite(double value) {
  return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json();
}

}  // namespace

std::string Finding::id() const { return fmt::format("{}/{}", paper->name, entry->name); }

Tally count_claims(std::span<const Finding> findings) {
  Tally tally;
  for (const Finding& finding : findings)
    for (const Claim& claim : finding.experiment.claims) {
      const Verdict verdict = claim.verdict();
      tally.not_comparable += verdict == Verdict::not_comparable;
      tally.claims += verdict != Verdict::not_comparable;
      tally.held += verdict == Verdict::holds;
    }
  return tally;
}

std::string make_report(std::span<const Finding> findings, bool quick) {
  return Page(findings, quick).write();
}

std::string make_papers_json(std::span<const Finding> findings) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Finding& finding : findings) {
    const Claim* whole = nullptr;  // the last sentence that does not go on from another
    for (const Claim& claim : finding.experiment.claims) {
      const bool goes_on = claim.text.starts_with("…");
      if (!goes_on) whole = &claim;
      nlohmann::ordered_json entry{
          {"paper", finding.paper->name},
          {"experiment", finding.entry->name},
          {"claim", claim.text},
          {"continues", nullptr},
          {"source", claim.source},
          {"unit", claim.unit},
          {"expected", finite(claim.expected)},
          {"measured", finite(claim.measured)},
          {"tolerance",
           {{"low", finite(claim.tolerance.low)}, {"high", finite(claim.tolerance.high)}}},
          {"holds", nullptr},
          {"correction", nullptr},
          {"unknown", nullptr}};
      if (goes_on && whole) entry["continues"] = whole->text;
      const Verdict verdict = claim.verdict();
      if (verdict != Verdict::not_comparable) entry["holds"] = verdict == Verdict::holds;
      if (!claim.correction.empty()) entry["correction"] = claim.correction;
      if (!claim.unknown.empty()) entry["unknown"] = claim.unknown;
      list.push_back(std::move(entry));
    }
  }
  return list.dump(2) + "\n";
}

}  // namespace ligament::papers
