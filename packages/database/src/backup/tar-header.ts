// The 512 bytes before each member of a tar archive, in the ustar form of POSIX.1-1988 that every tar program reads.
// Source: POSIX.1-2024, pax, "ustar Interchange Format".
import { BackupError } from './backup-error.ts';

export const BLOCK_BYTES = 512;

export type TarMember = { name: string; size: number; modifiedAt: Date };

const CHECKSUM = { from: 148, to: 156 };

/** Members are regular files that only their owner may read. */
export function encodeHeader({ name, size, modifiedAt }: TarMember): Buffer {
  const block = Buffer.alloc(BLOCK_BYTES);
  if (Buffer.byteLength(name) > 100) throw new BackupError(`The name ${name} is too long.`);
  block.write(name, 0);
  block.write(octal(0o600, 7), 100);
  block.write(octal(0, 7), 108);
  block.write(octal(0, 7), 116);
  block.write(octal(size, 11), 124);
  block.write(octal(Math.floor(modifiedAt.getTime() / 1000), 11), 136);
  block.write('0', 156);
  block.write('ustar\0', 257);
  block.write('00', 263);
  block.write(`${octal(sumOf(block), 6)}\0 `, CHECKSUM.from);
  return block;
}

/** Null where the block is not exactly what `encodeHeader` makes. */
export function decodeHeader(block: Buffer): TarMember | null {
  const member = {
    name: block.toString('utf8', 0, 100).replace(/\0.*$/s, ''),
    size: Number.parseInt(block.toString('latin1', 124, 135), 8),
    modifiedAt: new Date(Number.parseInt(block.toString('latin1', 136, 147), 8) * 1000),
  };
  const isWhole = member.size >= 0 && Buffer.byteLength(member.name) <= 100;
  return isWhole && encodeHeader(member).equals(block) ? member : null;
}

/** How many zeros follow a member, so that the next header begins at a block. */
export function countPadding(size: number): number {
  return (BLOCK_BYTES - (size % BLOCK_BYTES)) % BLOCK_BYTES;
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, '0');
}

/** The sum of all bytes, those of the checksum itself counted as spaces. */
function sumOf(block: Buffer): number {
  const sum = block.reduce((total, byte) => total + byte, 0);
  const own = block.subarray(CHECKSUM.from, CHECKSUM.to).reduce((total, byte) => total + byte, 0);
  return sum - own + (CHECKSUM.to - CHECKSUM.from) * 0x20;
}
