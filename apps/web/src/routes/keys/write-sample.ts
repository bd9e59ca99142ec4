// A command that shows that a new key works, fitting what the key may do.
import type { Permission } from '@muster/contract';
import { permits, READ_HISTORY } from '@muster/contract';

type SampleFacts = { origin: string; permissions: readonly string[]; sandboxId?: string };

const PROCEDURES: readonly [Permission, string][] = [
  ['session:view', 'sessions.list'],
  ['player:view', 'players.list'],
  ['audit:view', 'audit.list'],
  ['metrics:view', 'system.get'],
];

export const writeSample = ({ origin, permissions, sandboxId }: SampleFacts): string => {
  const call = 'curl -sS -H "Authorization: Bearer $MUSTER_KEY"';
  if (sandboxId && permits(permissions, READ_HISTORY)) {
    return `${call} \\\n  ${origin}/v1/history/sandbox/${sandboxId}/item/`;
  }
  const known = PROCEDURES.find(([permission]) => permits(permissions, [permission]));
  return `${call} \\\n  ${origin}/admin/trpc/${known?.[1] ?? 'me.get'}`;
};
