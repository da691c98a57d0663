// SPDX-License-Identifier: Apache-2.0
// The counterpart of src/ligament/io/replay/packing.h.

export function fromBase64(text: string): Uint8Array {
  const binary = atob(text.trim());
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; ++i) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

export async function inflate(bytes: Uint8Array): Promise<Uint8Array> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// Reads integers and series from a part of the bytes.
export class Unpacker {
  private at: number;

  constructor(private readonly bytes: Uint8Array, section: [number, number]) {
    this.at = section[0];
  }

  integer(): number {
    let value = 0;
    let shift = 0;
    for (;;) {
      const byte = this.bytes[this.at++];
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) break;
      shift += 7;
    }
    return (value >>> 1) ^ -(value & 1);
  }

  // Calls put(k, value) for each of `count` values.
  series(count: number, order: 1 | 2, put: (k: number, value: number) => void): void {
    let before = 0;
    let guess = 0;
    for (let k = 0; k < count; ++k) {
      const value = (guess + this.integer()) | 0;
      put(k, value);
      guess = order === 2 && k > 0 ? (2 * value - before) | 0 : value;
      before = value;
    }
  }
}

const bits = new Uint32Array(1);
const float = new Float32Array(bits.buffer);

// The float whose rounded bits these are.
export function floatOf(integer: number, dropped: number): number {
  bits[0] = (Math.abs(integer) << dropped) >>> 0;
  return integer < 0 ? -float[0] : float[0];
}
