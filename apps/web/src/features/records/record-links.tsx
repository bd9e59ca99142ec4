import { Link } from '@tanstack/react-router';
import type { RecordKind } from './record-kind.ts';

type Place = { kind: RecordKind; sandbox: string };

/** Back to the list, above a page of one record. */
export const ListLink = ({ kind, sandbox }: Place) => (
  <Link to={kind.paths.list} params={{ sandbox }}>
    {kind.many}
  </Link>
);

export const RecordLink = ({ kind, sandbox, id, name }: Place & { id: string; name: string }) => (
  <Link to={kind.paths.record} params={{ sandbox, id }}>
    {name}
  </Link>
);
