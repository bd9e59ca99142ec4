import { defineColumns } from '../../components/data-table/columns.ts';
import { Tag } from '../../components/tag/tag.tsx';
import { TimeText } from '../../components/time/time-text.tsx';
import { SearchLink } from '../../components/url/search-link.tsx';
import { SandboxNames } from '../../features/accounts/sandbox-names.tsx';
import type { KeyRow } from './key-row.ts';
import { KeyStateTag } from './key-state-tag.tsx';

const Dash = () => <span aria-hidden>–</span>;

const Moment = ({ at }: { at: string | undefined }) =>
  at === undefined ? <>never</> : <TimeText at={at} />;

export const KEY_COLUMNS = defineColumns<KeyRow>([
  {
    id: 'account',
    header: 'Service account',
    width: 150,
    cell: ({ id, account }) => <SearchLink changes={{ key: id }}>{account.name}</SearchLink>,
    sortValue: ({ account }) => account.name,
  },
  {
    id: 'name',
    header: 'Key',
    width: 125,
    grow: true,
    cell: ({ key }) => (key ? key.name : <Tag>no key yet</Tag>),
    sortValue: ({ key }) => key?.name ?? '',
  },
  {
    id: 'prefix',
    header: 'Begins with',
    width: 125,
    isOnPhone: false,
    cell: ({ key }) => (key ? <code className="mono">{key.prefix}…</code> : <Dash />),
  },
  {
    id: 'permissions',
    header: 'Permissions',
    width: 150,
    isOnPhone: false,
    cell: ({ key }) => key?.permissions.join(', ') ?? <Dash />,
  },
  {
    id: 'sandboxes',
    header: 'Sandboxes',
    width: 140,
    isOnPhone: false,
    cell: ({ key }) => (key ? <SandboxNames ids={key.sandbox_ids} /> : <Dash />),
  },
  {
    id: 'last_used',
    header: 'Last used',
    width: 115,
    isOnPhone: false,
    cell: ({ key }) => (key ? <Moment at={key.last_used} /> : <Dash />),
    sortValue: ({ key }) => key?.last_used ?? '',
  },
  {
    id: 'expires',
    header: 'Expires',
    width: 115,
    isOnPhone: false,
    cell: ({ key }) => (key ? <Moment at={key.expires} /> : <Dash />),
    sortValue: ({ key }) => key?.expires ?? '9999',
  },
  {
    id: 'state',
    header: 'State',
    width: 91,
    cell: ({ key }) => (key ? <KeyStateTag value={key} /> : <Dash />),
  },
]);
