import { getRouteApi } from '@tanstack/react-router';
import { useSandbox } from '../../access/sandboxes.ts';
import { Tag } from '../../components/tag/tag.tsx';
import type { Entry } from './comparison.ts';

const route = getRouteApi('/app/s/$sandbox/compare-sandboxes');

/** Names the sandbox that has the record, instead of "left" and "right". */
export const StatusTag = ({ status }: { status: Entry['status'] }) => {
  const target = useSandbox(route.useParams().sandbox);
  if (status === 'different') return <Tag tone="info">different</Tag>;
  if (status === 'only_target') return <Tag tone="warn">only in {target?.name}</Tag>;
  return <Tag tone="good">not in {target?.name}</Tag>;
};
