// SPDX-License-Identifier: Apache-2.0
// Camera, light, ground and the drawing itself. Draws only when something has changed.
import {
  Box3, Color, DirectionalLight, DoubleSide, Group, HemisphereLight, Mesh, PCFSoftShadowMap,
  PerspectiveCamera, PlaneGeometry, Scene, ShaderMaterial, ShadowMaterial, Vector2, Vector3,
  WebGLRenderer,
} from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { themeColour } from "./colours";

const gridVertex = `
  varying vec2 place;
  void main() {
    place = position.xy;
    gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  }`;
// Lines one pixel wide at every cell and stronger ones at every tenth, gone in the distance.
const gridFragment = `
  uniform float cell, reach;
  uniform vec2 centre;
  uniform vec3 ink;
  uniform float strength;
  varying vec2 place;
  float lines(float size) {
    vec2 x = place / size;
    vec2 d = abs(fract(x - 0.5) - 0.5) / fwidth(x);
    return (1.0 - min(min(d.x, d.y), 1.0)) * (1.0 - smoothstep(0.2, 0.6, max(fwidth(x).x, fwidth(x).y)));
  }
  void main() {
    float away = length(place - centre) / reach;
    float fade = exp(-3.0 * away * away);
    float a = max(0.45 * lines(cell), lines(10.0 * cell)) * fade * strength;
    if (a < 0.004) discard;
    gl_FragColor = vec4(ink, a);
  }`;

export class Stage {
  readonly scene = new Scene();
  readonly world = new Group();
  readonly camera = new PerspectiveCamera(38, 1, 0.01, 1000);
  readonly renderer: WebGLRenderer;
  readonly controls: OrbitControls;
  readonly sun = new DirectionalLight("#fff6e8", 2.6);
  readonly sky = new HemisphereLight("#ffffff", "#8a8378", 1.5);
  private readonly grid: Mesh<PlaneGeometry, ShaderMaterial>;
  private readonly shadow: Mesh<PlaneGeometry, ShadowMaterial>;
  private dirty = true;
  private home = { position: new Vector3(3, -5, 3), target: new Vector3() };
  box = new Box3();

  constructor(readonly canvas: HTMLCanvasElement, up: Vector3) {
    this.renderer = new WebGLRenderer({ canvas, antialias: true, powerPreference: "high-performance" });
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFSoftShadowMap;
    this.camera.up.copy(up);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.12;
    this.controls.addEventListener("change", () => this.touch());
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(2048, 2048);
    this.sun.shadow.normalBias = 0.02;
    this.sky.position.copy(up);
    this.grid = new Mesh(new PlaneGeometry(1, 1), new ShaderMaterial({
      vertexShader: gridVertex, fragmentShader: gridFragment, transparent: true, side: DoubleSide,
      depthWrite: false,
      uniforms: {
        cell: { value: 1 }, reach: { value: 10 }, strength: { value: 0.5 },
        centre: { value: new Vector2() }, ink: { value: new Color() },
      },
    }));
    this.shadow = new Mesh(new PlaneGeometry(1, 1), new ShadowMaterial({ opacity: 0.22 }));
    this.shadow.receiveShadow = true;
    for (const plane of [this.grid, this.shadow])
      plane.quaternion.setFromUnitVectors(new Vector3(0, 0, 1), up);
    this.scene.add(this.world, this.sun, this.sun.target, this.sky, this.grid, this.shadow);
    new ResizeObserver(() => this.resize()).observe(canvas.parentElement!);
    this.applyTheme();
  }

  touch(): void {
    this.dirty = true;
  }

  applyTheme(): void {
    this.scene.background = new Color(themeColour("--stage"));
    const ink = new Color(themeColour("--grid"));
    this.grid.material.uniforms.ink.value.copy(ink);
    this.touch();
  }

  resize(): void {
    const { clientWidth: width, clientHeight: height } = this.canvas.parentElement!;
    if (width === 0 || height === 0) return;
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.touch();
  }

  // Light, ground and sizes for a box of the world; `floor` is the height of the ground along up.
  enclose(box: Box3, floor: number): void {
    this.box = box.clone();
    const up = this.camera.up;
    const centre = box.getCenter(new Vector3());
    const radius = Math.max(1e-3, box.getSize(new Vector3()).length() / 2);
    const side = new Vector3(1, -0.6, 0).applyQuaternion(this.grid.quaternion);
    this.sun.position.copy(centre).addScaledVector(up, 2.2 * radius).addScaledVector(side, 0.9 * radius);
    this.sun.target.position.copy(centre);
    const eye = this.sun.shadow.camera;
    eye.left = eye.bottom = -1.25 * radius;
    eye.right = eye.top = 1.25 * radius;
    eye.near = 0.05 * radius;
    eye.far = 8 * radius;
    eye.updateProjectionMatrix();
    this.sun.shadow.normalBias = 0.004 * radius;
    const ground = centre.clone().addScaledVector(up, floor - centre.dot(up));
    const turn = this.grid.quaternion.clone().invert();
    this.grid.material.uniforms.cell.value = 10 ** Math.floor(Math.log10(radius / 2));
    this.grid.material.uniforms.reach.value = 4 * radius;
    const local = ground.clone().applyQuaternion(turn);
    this.grid.material.uniforms.centre.value.set(local.x, local.y);
    // The plane stays at the origin of its own axes, so that its lines are those of the world.
    this.grid.position.copy(up).multiplyScalar(floor + 1e-4 * radius);
    const reach = 2 * (Math.hypot(local.x, local.y) + 8 * radius);
    this.grid.scale.setScalar(1);
    this.grid.geometry.dispose();
    this.grid.geometry = new PlaneGeometry(reach, reach);
    this.shadow.position.copy(ground);
    this.shadow.scale.setScalar(20 * radius);
    this.camera.near = radius / 200;
    this.camera.far = 60 * radius;
    this.camera.updateProjectionMatrix();
    this.touch();
  }

  // Puts the camera where all of the box is seen: from the side, if the machine is flat.
  frame(): void {
    const up = this.camera.up;
    const size = this.box.getSize(new Vector3());
    const centre = this.box.getCenter(new Vector3());
    const flat = size.y < 0.12 * Math.max(size.x, size.z);
    const way = up.z > 0.9 ? (flat ? new Vector3(0.25, -1, 0.22) : new Vector3(0.75, -1, 0.55))
      : new Vector3(0.6, 0.4, 1);
    way.normalize();
    const half = Math.tan((this.camera.fov * Math.PI) / 360);
    // The box seen from there, measured across the view.
    const across = new Vector3().crossVectors(up, way).normalize();
    const upwards = new Vector3().crossVectors(way, across);
    const spread = (axis: Vector3) =>
      0.5 * (Math.abs(axis.x) * size.x + Math.abs(axis.y) * size.y + Math.abs(axis.z) * size.z);
    const wide = spread(across) / (half * this.camera.aspect);
    const high = spread(upwards) / half;
    const distance = 1.06 * Math.max(wide, high) + 0.6 * spread(way);
    this.home.target.copy(centre);
    this.home.position.copy(centre).addScaledVector(way, distance);
    this.goHome();
  }

  goHome(): void {
    // Without damping an update forgets what is left of a movement of the mouse.
    this.controls.enableDamping = false;
    this.controls.update();
    this.controls.enableDamping = true;
    this.camera.position.copy(this.home.position);
    this.controls.target.copy(this.home.target);
    this.controls.update();
    this.touch();
  }

  // Moves camera and target together, to follow something.
  shift(by: Vector3): void {
    this.camera.position.add(by);
    this.controls.target.add(by);
    this.touch();
  }

  draw(): boolean {
    this.controls.update();
    if (!this.dirty) return false;
    this.dirty = false;
    this.renderer.render(this.scene, this.camera);
    return true;
  }
}
