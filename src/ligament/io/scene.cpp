// SPDX-License-Identifier: Apache-2.0
#include "ligament/io/scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "ligament/io/elements.h"
#include "ligament/io/fields.h"
#include "ligament/io/shape_reader.h"
#include "ligament/model/joint_coordinates.h"
#include "ligament/model/model_builder.h"

namespace ligament {
namespace {

constexpr double most_steps = 1e10;
constexpr double most_numbers = 5e9;  // in a trajectory: about 100 GB

void check_version(Reader& reader, const Json& root) {
  if (!root.is_object()) reader.fail(root, "a scene must be an object { … }");
  const auto found = root.find("ligament");
  if (found == root.end())
    reader.fail(root, fmt::format("\"ligament\": {} is missing, the version of the format",
                                  scene_format::version));
  if (!found->is_number_integer() || *found != scene_format::version)
    reader.fail(*found, fmt::format("version {} of the format is not known: it must be {}",
                                    found->dump().substr(0, 20), scene_format::version));
}

std::string read_plain_text(Reader& reader, const Json& value) {
  if (!value.is_string()) reader.fail(value, "must be a text in quotes");
  return value.get<std::string>();
}

// Materials, bodies with their shapes, joints, controls and loads, and the way back from what the
// builder says to the document.
class ModelReader {
 public:
  // Mesh files are named from the folder of the scene on.
  ModelReader(Reader& reader, const Fields& scene, std::filesystem::path folder)
      : reader_(reader), scene_(scene), shapes_(reader, std::move(folder), materials_) {}

  Model read() {
    ModelOptions options;
    scene_.read("gravity", options.gravity);
    ModelBuilder builder(options);
    add_materials(builder);
    add_elements(builder);
    try {
      return std::move(builder).build();
    } catch (const ModelError& error) {
      fail(error);
    }
  }

  std::vector<std::string> take_warnings() { return shapes_.take_warnings(); }
  std::vector<Look> take_looks() { return std::move(looks_); }

 private:
  void add_materials(ModelBuilder& builder) {
    materials_.add("default", MaterialId{});
    for_each_optional("materials", [&](const Json& element) {
      MaterialSpec spec = read_material(reader_, element);
      const std::string name = spec.name;
      materials_.add(name, builder.add_material(std::move(spec)));
    });
    std::set<std::pair<MaterialId, MaterialId>> given;
    for_each_optional("material_pairs", [&](const Json& element) {
      const MaterialPairSpec spec = read_material_pair(reader_, element, materials_);
      if (!given.insert(std::minmax(spec.a, spec.b)).second)
        reader_.fail(element, "this pair stands here twice: remove one");
      builder.add_material_pair(spec);
    });
  }

  void add_elements(ModelBuilder& builder) {
    NameTable<BodyId> bodies("body");
    bodies.add("world", world);
    for_each_optional("shapes", [&](const Json& element) {
      ShapeReader::Element shape = shapes_.read(element, "world");
      if (shape.density)
        shapes_.fail(element.at("density"), "has no effect: the world has no mass");
      builder.add_shape(std::move(shape.spec));
    });
    std::size_t count = 0;
    reader_.for_each_element(scene_.require("bodies"), [&](const Json& element) {
      BodyElement read = read_body(reader_, element, shapes_, ++count);
      const std::string name = read.body.name;
      const BodyId id = builder.add_body(std::move(read.body));
      bodies.add(name, id);
      if (read.solid) looks_.push_back({id, *std::move(read.solid)});
      for (ShapeSpec& shape : read.shapes) {
        shape.body = id;
        builder.add_shape(std::move(shape));
      }
    });
    JointTable joints;
    for_each_optional("joints", [&](const Json& element) {
      JointSpec spec = read_joint(reader_, element, bodies);
      const std::string name = std::visit([](const auto& joint) { return joint.name; }, spec);
      joints.kinds.push_back(static_cast<JointKind>(spec.index()));
      joints.names.add(name, builder.add_joint(std::move(spec)));
    });
    for_each_optional("controls", [&](const Json& element) {
      builder.add_control(read_control(reader_, element, joints));
    });
    for_each_optional("loads", [&](const Json& element) {
      builder.add_load(read_load(reader_, element, bodies));
    });
  }

  void for_each_optional(std::string_view key, const Reader::Visit& visit) {
    if (const Json* elements = scene_.find(key)) reader_.for_each_element(*elements, visit);
  }

  // All shapes, in the order in which they were added.
  void for_each_shape(const Reader::Visit& visit) {
    for_each_optional("shapes", visit);
    for_each_optional("bodies", [&](const Json& body) {
      if (const auto shapes = body.find("shapes"); shapes != body.end())
        reader_.for_each_element(*shapes, visit);
    });
  }

  [[noreturn]] void fail(const ModelError& error) {
    struct Array {
      std::string_view element, key;
      const ObjectFormat* format;
    };
    constexpr Array arrays[] = {{"body", "bodies", &scene_format::body},
                                {"joint", "joints", &scene_format::joint},
                                {"control", "controls", &scene_format::control},
                                {"load", "loads", &scene_format::load},
                                {"material", "materials", &scene_format::material},
                                {"material pair", "material_pairs", &scene_format::material_pair},
                                {"shape", "shapes", &scene_format::shape}};
    const std::string what = error.what();
    const auto array = std::ranges::find(arrays, error.element(), &Array::element);
    const std::size_t heading = what.find("\": ");  // body "elbow": …
    const std::string message = heading == what.npos ? what : what.substr(heading + 3);
    if (array == std::end(arrays)) {
      const Json* gravity = scene_.find("gravity");
      reader_.fail(gravity ? *gravity : scene_.object(), what);
    }
    const auto culprit_in = [&](const Json& element) -> const Json& {
      return find_culprit(element, *array->format, message);
    };
    const auto walk = [&](const Reader::Visit& visit) {
      if (array->key == "shapes")
        for_each_shape(visit);
      else
        for_each_optional(array->key, visit);
    };
    reader_.fail_at_element(walk, error.index(), culprit_in, what);
  }

  Reader& reader_;
  const Fields& scene_;
  NameTable<MaterialId> materials_{"material"};
  ShapeReader shapes_;
  std::vector<Look> looks_;
};

long read_steps(Reader& reader, const Fields& run, double h) {
  const Json* duration = run.find("duration");
  const Json* steps = run.find("steps");
  if ((duration == nullptr) == (steps == nullptr))
    reader.fail(run.object(), "must have either \"duration\" [s] or \"steps\"");
  if (steps) return reader.integer(*steps, 0, static_cast<long>(most_steps));
  const double seconds = reader.number(*duration);
  if (seconds < 0.0) reader.fail(*duration, fmt::format("must be ≥ 0 s (is {})", seconds));
  const double count = std::round(seconds / h);
  if (count > most_steps)
    reader.fail(*duration,
                fmt::format("{:g} s in steps of {:g} s are {:g} steps; the limit is {:g}", seconds,
                            h, count, most_steps));
  return static_cast<long>(count);
}

// true: all `count` elements; or those in a list of names.
template <class Id>
std::vector<Id> read_selection(Reader& reader, const Json& value, std::string_view what,
                               const Model& model, std::size_t count) {
  std::vector<Id> all;
  for (std::uint32_t i = 0; i < count; ++i) all.push_back(Id{i});
  if (value.is_boolean()) return value.get<bool>() ? all : std::vector<Id>();
  if (!value.is_array())
    reader.fail(value, fmt::format("must be true, false or an array of names of {}s (is {})", what,
                                   type_of(value)));
  NameTable<Id> names(what);
  for (const Id id : all) names.add(model.name(id), id);
  std::vector<Id> selected;
  std::vector<bool> taken(count, false);
  for (const Json& reference : value) {
    const Id id = names.find(reader, reference);
    if (taken[id.index()]) reader.fail(reference, "stands here twice: remove one");
    taken[id.index()] = true;
    selected.push_back(id);
  }
  return selected;
}

void read_output(Reader& reader, const Json& output, Scene& scene) {
  const Fields fields(reader, output, scene_format::output);
  const Model& model = scene.model;
  if (const Json* every = fields.find("every"))
    scene.every = static_cast<int>(reader.integer(*every, 1, 1'000'000'000));
  if (const Json* joints = fields.find("joints"))
    scene.joints = read_selection<JointId>(reader, *joints, "joint", model, model.joints().size());
  if (const Json* controls = fields.find("controls"))
    scene.controls =
        read_selection<ControlId>(reader, *controls, "control", model, model.controls().size());
}

void check_output(Reader& reader, const Json& run, const Scene& scene) {
  double columns = 1.0 + 7.0 * static_cast<double>(scene.model.bodies().size()) +
                   2.0 * static_cast<double>(scene.controls.size());
  for (const JointId id : scene.joints)
    columns += 6.0 + 2.0 * static_cast<double>(coordinates_of(scene.model.joint(id).kind).size());
  const double rows = static_cast<double>(scene.steps) / scene.every + 2.0;
  if (rows * columns > most_numbers)
    reader.fail(run,
                fmt::format("the trajectory of these {} steps would have {:g} numbers; the limit "
                            "is {:g}: set output.every to {:.0f} or more",
                            scene.steps, rows * columns, most_numbers,
                            std::ceil(scene.every * rows * columns / most_numbers)));
}

Scene make_scene(Document document, const std::filesystem::path& file,
                 const std::vector<Override>& overrides) {
  {
    Reader reader(document);
    check_version(reader, document.root);
  }
  for (const Override& given : overrides) apply_override(given, document);

  Reader reader(document);
  const Fields fields(reader, document.root, scene_format::scene);
  if (const Json* variables = fields.find("variables")) reader.define_variables(*variables);
  const Json* stepper = fields.find("stepper");
  ModelReader models(reader, fields, file.parent_path());
  Scene scene{.name = file.stem().string(),
              .model = models.read(),
              .stepper = stepper ? read_stepper(reader, *stepper) : Stepper{}};
  scene.warnings = models.take_warnings();
  scene.looks = models.take_looks();
  fields.read_name("name", scene.name);
  if (const Json* description = fields.find("description"))
    scene.description = read_plain_text(reader, *description);
  if (const Json* assemble = fields.find("assemble")) scene.assemble = reader.boolean(*assemble);
  const Fields run(reader, fields.require("run"), scene_format::run);
  scene.steps = read_steps(reader, run, step_size(scene.stepper));
  if (const Json* staggered = run.find("staggered")) scene.staggered = reader.boolean(*staggered);
  if (const Json* output = fields.find("output")) read_output(reader, *output, scene);
  check_output(reader, run.object(), scene);
  return scene;
}

}  // namespace

Scene read_scene(const std::filesystem::path& file, const std::vector<Override>& overrides) {
  return make_scene({.file = file.string(), .root = read_json_file(file)}, file, overrides);
}

Scene read_scene_text(std::string_view text, const std::filesystem::path& name,
                      const std::vector<Override>& overrides) {
  return make_scene({.file = name.string(), .root = parse_json(text, name.string())}, name,
                    overrides);
}

}  // namespace ligament
