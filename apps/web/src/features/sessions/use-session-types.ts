import { useQuery } from '@tanstack/react-query';
import type { ApiOutputs } from '../../api/trpc.ts';
import { trpc } from '../../api/trpc.ts';

export type SessionType = ApiOutputs['sessionTypes']['list']['session_types'][number];

const NONE: readonly SessionType[] = [];

/** The types that are described; sessions may have others. Empty while they are being loaded. */
export const useSessionTypes = (): readonly SessionType[] =>
  useQuery(trpc.sessionTypes.list.queryOptions()).data?.session_types ?? NONE;
