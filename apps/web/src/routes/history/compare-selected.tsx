import { useNavigate } from '@tanstack/react-router';
import { ActionButton } from '../../access/action-button.tsx';
import { ITEM, XP } from '../../features/records/record-kind.ts';
import type { Version } from './history-query.ts';

type CompareSelectedProps = {
  sandbox: string;
  /** Version ids. */
  ids: readonly string[];
  known: readonly Version[];
};

/** Two versions of one record, the older one first. */
export const CompareSelected = ({ sandbox, ids, known }: CompareSelectedProps) => {
  const navigate = useNavigate();
  const selected = known
    .filter(({ version_id }) => ids.includes(version_id))
    .toSorted((a, b) => a.seq - b.seq);
  const [from, to] = selected;
  const compare = () => {
    if (!from || !to) return;
    const { paths } = from.kind === 'item' ? ITEM : XP;
    void navigate({
      to: paths.compare,
      params: { sandbox, id: from.record_id },
      search: { from: from.version_id, to: to.version_id },
    });
  };
  return (
    <ActionButton variant="default" reason={findObstacle(ids, selected)} onClick={compare}>
      Compare
    </ActionButton>
  );
};

const findObstacle = (ids: readonly string[], [from, to]: readonly Version[]): string | false => {
  if (ids.length !== 2) return 'Choose two versions of one record.';
  if (!from || !to) return 'Scroll to both versions first, so that they are loaded.';
  return from.record_id !== to.record_id && 'These are versions of two different records.';
};
