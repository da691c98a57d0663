// SPDX-License-Identifier: Apache-2.0
// ligament contacts SCENE: says which shapes touch in the start pose, and where.

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "apps/commands.h"
#include "apps/overrides.h"
#include "apps/start.h"
#include "ligament/collision/collision_world.h"
#include "ligament/io/scene.h"
#include "ligament/version.h"

namespace ligament::apps {
namespace {

struct ContactsArguments {
  std::string scene;
  std::vector<std::string> set;
  int threads = 1;
  bool json = false;
};

using Contacts = std::span<const Contact>;

// "crate.lid", a shape with its body; "crate" if both have this name.
std::string label_of(const Model& model, ShapeId id) {
  const std::string& body = model.name(model.shape(id).body);
  const std::string& shape = model.name(id);
  return body == shape ? body : fmt::format("{}.{}", body, shape);
}

const Material& material_between(const Model& model, const Contact& contact) {
  return model.between(model.shape(contact.shape_a).material,
                       model.shape(contact.shape_b).material);
}

std::size_t count_pairs(Contacts contacts) {
  std::set<std::pair<ShapeId, ShapeId>> pairs;
  for (const Contact& contact : contacts) pairs.emplace(contact.shape_a, contact.shape_b);
  return pairs.size();
}

const Contact& find_deepest(Contacts contacts) {
  return *std::ranges::min_element(contacts, {}, &Contact::gap);
}

std::string count(std::size_t number, const char* what) {
  return fmt::format("{} {}{}", number, what, number == 1 ? "" : "s");
}

std::string describe(const Model& model, Contacts contacts) {
  if (contacts.empty())
    return fmt::format("no contacts between {}", count(model.shapes().size(), "shape"));
  const Contact& deepest = find_deepest(contacts);
  return fmt::format("{} between {}, smallest gap {:.3g} m (\"{}\" and \"{}\")",
                     count(contacts.size(), "contact"), count(count_pairs(contacts), "pair"),
                     deepest.gap, label_of(model, deepest.shape_a),
                     label_of(model, deepest.shape_b));
}

std::string format_vector(const Vec3& v) {
  // Adding 0 makes 0 of −0.
  return fmt::format("{:10.4g} {:10.4g} {:10.4g}", v.x() + 0.0, v.y() + 0.0, v.z() + 0.0);
}

void print_table(const Model& model, Contacts contacts) {
  if (contacts.empty()) return;
  std::size_t width_a = 7, width_b = 7;  // of the headings
  for (const Contact& contact : contacts) {
    width_a = std::max(width_a, label_of(model, contact.shape_a).size());
    width_b = std::max(width_b, label_of(model, contact.shape_b).size());
  }
  fmt::print("{:<{}}  {:<{}}  {:>10}  {:<32}  {:<32}  {:>8}  {:>11}\n", "shape a", width_a,
             "shape b", width_b, "gap [m]", "  midpoint x, y, z [m]", "  normal from a to b",
             "friction", "restitution");
  for (const Contact& contact : contacts) {
    const Material& material = material_between(model, contact);
    fmt::print("{:<{}}  {:<{}}  {:>10.3g}  {}  {}  {:>8.3g}  {:>11.3g}\n",
               label_of(model, contact.shape_a), width_a, label_of(model, contact.shape_b), width_b,
               contact.gap + 0.0, format_vector(0.5 * (contact.point_a + contact.point_b)),
               format_vector(contact.normal), material.friction, material.restitution);
  }
}

using Json = nlohmann::ordered_json;

Json to_json(const Vec3& v) { return Json::array({v.x(), v.y(), v.z()}); }

Json to_json(const Material& material) {
  Json out{{"friction", material.friction},
           {"restitution", material.restitution},
           {"compliance", material.compliance},
           {"damping_time", nullptr},
           {"rolling_friction", material.rolling_friction},
           {"spinning_friction", material.spinning_friction}};
  if (material.damping_time) out["damping_time"] = *material.damping_time;
  return out;
}

Json to_json(const Model& model, const Contact& contact) {
  return {{"shape_a", model.name(contact.shape_a)},
          {"shape_b", model.name(contact.shape_b)},
          {"body_a", model.name(contact.a)},
          {"body_b", model.name(contact.b)},
          {"gap", contact.gap},
          {"normal", to_json(contact.normal)},
          {"tangent", to_json(contact.tangent)},
          {"point_a", to_json(contact.point_a)},
          {"point_b", to_json(contact.point_b)},
          {"feature", fmt::format("{:#018x}", contact.feature)},  // more bits than a number has
          {"material", to_json(material_between(model, contact))}};
}

void print_json(const Scene& scene, Contacts contacts) {
  Json out{{"ligament", version_string},
           {"scene", scene.name},
           {"shapes", scene.model.shapes().size()},
           {"pairs", count_pairs(contacts)},
           {"smallest_gap", nullptr},
           {"contacts", Json::array()}};
  if (!contacts.empty()) out["smallest_gap"] = find_deepest(contacts).gap;
  for (const Contact& contact : contacts) out["contacts"].push_back(to_json(scene.model, contact));
  fmt::print("{}\n", out.dump(2, ' ', false, Json::error_handler_t::replace));
}

int find_scene_contacts(const ContactsArguments& arguments) {
  const Scene scene = read_scene(arguments.scene, parse_overrides(arguments.set));
  print_warnings(scene);
  const State start = make_start(scene, arguments.scene);
  CollisionWorld world(scene.model,
                       {.lookahead = step_size(scene.stepper), .threads = arguments.threads});
  const Contacts contacts = world.find_contacts(start);
  if (!world.culprits().empty())
    throw InputError(fmt::format("{}: the pose of body \"{}\" is not finite", arguments.scene,
                                 scene.model.name(world.culprits().front())));
  if (arguments.json) {
    print_json(scene, contacts);
    return ok;
  }
  print_table(scene.model, contacts);
  fmt::print("{}\n", describe(scene.model, contacts));
  return ok;
}

}  // namespace

void add_contacts_command(CLI::App& app, int& exit_code) {
  CLI::App* contacts =
      app.add_subcommand("contacts", "List the contacts between shapes in the start pose");
  auto arguments = std::make_shared<ContactsArguments>();
  contacts->add_option("SCENE", arguments->scene, "The scene file (JSON, see docs/scene.md)")
      ->required();
  add_set_option(*contacts, arguments->set);
  contacts->add_flag("--json", arguments->json, "Print JSON with all digits instead of a table");
  contacts->add_option("--threads", arguments->threads, "Threads to look with (default: 1)")
      ->type_name("N")
      ->check(CLI::Range(1, 256));
  contacts->callback([arguments, &exit_code] { exit_code = find_scene_contacts(*arguments); });
}

}  // namespace ligament::apps
