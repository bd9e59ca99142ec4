import { AccountName } from '../../components/accounts/account-name.tsx';
import { CopyableId } from '../../components/ids/copyable-id.tsx';

/** An id that can be copied, with the name of the account that it may be. */
export const TargetValue = ({ name, value }: { name: string; value: unknown }) => {
  if (typeof value !== 'string') return <code className="mono">{JSON.stringify(value)}</code>;
  if (name !== 'account_id') return <CopyableId id={value} label={name} />;
  return (
    <>
      <AccountName id={value} /> <CopyableId id={value} label="account id" short />
    </>
  );
};
