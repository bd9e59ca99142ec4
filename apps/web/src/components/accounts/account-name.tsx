import { useAccountName } from './account-names.ts';

/** Who did something: a person or a service account by name, anybody else by id. */
export const AccountName = ({ id }: { id: string }) => {
  const name = useAccountName(id);
  return <span title={name === id ? undefined : id}>{name}</span>;
};
