// SPDX-License-Identifier: Apache-2.0
#include "ligament/io/scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ligament/io/elements.h"
#include "ligament/io/fields.h"
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

// Bodies, joints and drivers, and the way back from what the builder says to the document.
class ModelReader {
 public:
  ModelReader(Reader& reader, const Fields& scene) : reader_(reader), scene_(scene) {}

  Model read() {
    ModelOptions options;
    scene_.read("gravity", options.gravity);
    ModelBuilder builder(options);
    add_elements(builder);
    try {
      return std::move(builder).build();
    } catch (const ModelError& error) {
      fail(error);
    }
  }

 private:
  void add_elements(ModelBuilder& builder) {
    NameTable<BodyId> bodies("body");
    bodies.add("world", world);
    reader_.for_each_element(scene_.require("bodies"), [&](const Json& element) {
      BodySpec spec = read_body(reader_, element);
      const std::string name = spec.name;
      bodies.add(name, builder.add_body(std::move(spec)));
    });
    NameTable<JointId> joints("joint");
    for_each_optional("joints", [&](const Json& element) {
      JointSpec spec = read_joint(reader_, element, bodies);
      const std::string name = std::visit([](const auto& joint) { return joint.name; }, spec);
      joints.add(name, builder.add_joint(std::move(spec)));
    });
    for_each_optional("drivers", [&](const Json& element) {
      builder.add_driver(read_driver(reader_, element, joints));
    });
  }

  void for_each_optional(std::string_view key, const Reader::Visit& visit) {
    if (const Json* elements = scene_.find(key)) reader_.for_each_element(*elements, visit);
  }

  [[noreturn]] void fail(const ModelError& error) {
    struct Array {
      std::string_view element, key;
      const ObjectFormat* format;
    };
    constexpr Array arrays[] = {{"body", "bodies", &scene_format::body},
                                {"joint", "joints", &scene_format::joint},
                                {"driver", "drivers", &scene_format::driver}};
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
    reader_.fail_at_element(scene_.require(array->key), error.index(), culprit_in, what);
  }

  Reader& reader_;
  const Fields& scene_;
};

long read_steps(Reader& reader, const Json& value, double h) {
  const Fields fields(reader, value, scene_format::run);
  const Json* duration = fields.find("duration");
  const Json* steps = fields.find("steps");
  if ((duration == nullptr) == (steps == nullptr))
    reader.fail(value, "must have either \"duration\" [s] or \"steps\"");
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

int read_every(Reader& reader, const Json* output) {
  if (!output) return 1;
  const Fields fields(reader, *output, scene_format::output);
  const Json* every = fields.find("every");
  return every ? static_cast<int>(reader.integer(*every, 1, 1'000'000'000)) : 1;
}

void check_output(Reader& reader, const Json& run, const Scene& scene) {
  const double columns = 1.0 + 7.0 * static_cast<double>(scene.model.bodies().size());
  const double rows = static_cast<double>(scene.steps) / scene.every + 2.0;
  if (rows * columns > most_numbers)
    reader.fail(run,
                fmt::format("the trajectory of these {} steps would have {:g} numbers; the limit "
                            "is {:g}: set output.every to {:.0f} or more",
                            scene.steps, rows * columns, most_numbers,
                            std::ceil(scene.every * rows * columns / most_numbers)));
}

}  // namespace

Scene read_scene(const std::filesystem::path& file, const std::vector<Override>& overrides) {
  Document document{.file = file.string(), .root = read_json_file(file)};
  {
    Reader reader(document);
    check_version(reader, document.root);
  }
  for (const Override& given : overrides) apply_override(given, document);

  Reader reader(document);
  const Fields fields(reader, document.root, scene_format::scene);
  if (const Json* variables = fields.find("variables")) reader.define_variables(*variables);
  const Json* stepper = fields.find("stepper");
  Scene scene{.name = file.stem().string(),
              .model = ModelReader(reader, fields).read(),
              .stepper = stepper ? read_stepper(reader, *stepper) : Stepper{}};
  fields.read_name("name", scene.name);
  if (const Json* description = fields.find("description"))
    scene.description = read_plain_text(reader, *description);
  const Json& run = fields.require("run");
  scene.steps = read_steps(reader, run, step_size(scene.stepper));
  scene.every = read_every(reader, fields.find("output"));
  check_output(reader, run, scene);
  return scene;
}

}  // namespace ligament
