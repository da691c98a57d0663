// SPDX-License-Identifier: Apache-2.0
// Contact points, and arrows for forces: their length is force times a scale.
import {
  Color, Group, InstancedMesh, Matrix4, MeshBasicMaterial, Quaternion, SphereGeometry, Vector3,
} from "three";
import { contactNumbers } from "../data/recording";
import { makeArrow } from "./symbols";

const contactColour = "#d55e00";

export class Arrows {
  readonly mesh: InstancedMesh;
  private count = 0;
  constructor(private readonly most: number, colour: string, private readonly thick: number) {
    this.mesh = new InstancedMesh(makeArrow(), new MeshBasicMaterial({ color: colour }), most);
    this.mesh.frustumCulled = false;
    this.mesh.count = 0;
  }
  begin(): void {
    this.count = 0;
  }
  add(point: Vector3, force: Vector3, metresPerNewton: number): void {
    const length = force.length() * metresPerNewton;
    if (this.count >= this.most || !(length > 0.05 * this.thick)) return;
    turn.setFromUnitVectors(up, way.copy(force).normalize());
    const thick = Math.min(this.thick, 0.2 * length);
    matrix.compose(point, turn, sizes.set(thick, thick, length));
    this.mesh.setMatrixAt(this.count++, matrix);
  }
  end(): void {
    this.mesh.count = this.count;
    this.mesh.instanceMatrix.needsUpdate = true;
  }
}

export class Contacts {
  readonly group = new Group();
  private readonly points: InstancedMesh;
  private readonly arrows: Arrows;
  private plain = false; // whether all points have the one colour

  constructor(size: number, private readonly most = 400) {
    this.points = new InstancedMesh(
      new SphereGeometry(0.07 * size, 8, 6), new MeshBasicMaterial({ color: "#ffffff" }), most);
    this.points.frustumCulled = false;
    this.points.count = 0;
    this.arrows = new Arrows(most, contactColour, 0.06 * size);
    // Seen through the bodies that they press on.
    for (const mesh of [this.points, this.arrows.mesh]) {
      const material = mesh.material as MeshBasicMaterial;
      material.depthTest = false;
      material.transparent = true;
      material.opacity = 0.85;
      mesh.renderOrder = 2;
    }
    this.group.add(this.points, this.arrows.mesh);
  }

  // As Recording.contactNumbersAt() has them.
  update(numbers: Float32Array, metresPerNewton: number): void {
    this.arrows.begin();
    const count = Math.min(numbers.length / contactNumbers, this.most);
    for (let k = 0; k < count; ++k) {
      place.fromArray(numbers, contactNumbers * k + 2);
      this.points.setMatrixAt(k, matrix.makeTranslation(place));
      this.arrows.add(place, force.fromArray(numbers, contactNumbers * k + 5), metresPerNewton);
    }
    this.points.count = count;
    this.points.instanceMatrix.needsUpdate = true;
    this.arrows.end();
  }

  // The points, each by the compliance that the solver added to it; null: all in one colour.
  colour(numbers: Float32Array, colourOf: ((excess: number, out: Color) => Color) | null): void {
    if (!colourOf && this.plain) return;
    this.plain = !colourOf;
    const count = colourOf ? Math.min(numbers.length / contactNumbers, this.most) : this.most;
    for (let k = 0; k < count; ++k)
      this.points.setColorAt(
        k, colourOf ? colourOf(numbers[contactNumbers * k + 8], paint) : paint.set(contactColour));
    this.points.instanceColor!.needsUpdate = true;
  }
}

const paint = new Color();
const up = new Vector3(0, 0, 1);
const way = new Vector3();
const place = new Vector3();
const force = new Vector3();
const sizes = new Vector3();
const turn = new Quaternion();
const matrix = new Matrix4();
