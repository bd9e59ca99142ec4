import type { ApiOutputs } from '../../api/client.ts';
import type { Columns } from '../../ui/table/table-model.ts';
import { TimeText } from '../../ui/time.tsx';
import { AccountName } from '../accounts/account-name.tsx';
import { OperationTag } from './record-links.tsx';

export type Version = ApiOutputs['versions']['list']['versions'][number];

type Change = Pick<Version, 'reason' | 'account_id' | 'issued_at'>;

/** Why, by whom and when something was changed. */
export const CHANGE_COLUMNS = {
  reason: {
    header: 'Reason',
    width: 90,
    grow: true,
    isOnPhone: false,
    cell: ({ reason }) => reason,
  },
  who: {
    header: 'By',
    width: 90,
    isOnPhone: false,
    cell: ({ account_id }) => <AccountName id={account_id} />,
  },
  when: { header: 'When', width: 130, cell: ({ issued_at }) => <TimeText at={issued_at} /> },
} satisfies Columns<Change>;

/** The columns that every list of versions has. */
export const VERSION_COLUMNS = {
  operation: {
    header: 'What',
    width: 100,
    cell: ({ operation }) => <OperationTag operation={operation} />,
  },
  ...CHANGE_COLUMNS,
} satisfies Columns<Version>;
