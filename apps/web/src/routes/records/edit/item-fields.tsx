import { Select, TagsInput } from '@mantine/core';
import { nameField } from '@muster/record-diff';
import { ITEM_TYPES } from '../../../features/records/item-types.ts';
import type { Problems } from '../draft/check-draft.ts';
import type { DraftState } from '../draft/use-draft.ts';
import { LevelTableSelect } from './level-table-select.tsx';

type ItemFieldsProps = { state: DraftState; problems: Problems; sandbox: string };

/** What Items have and Xp tables have not. */
export const ItemFields = ({ state, problems, sandbox }: ItemFieldsProps) => {
  const { draft, change } = state;
  return (
    <>
      <Select
        label={nameField('item_type')}
        withAsterisk
        maw={280}
        data={[...ITEM_TYPES]}
        value={draft.itemType}
        error={problems.item_type}
        onChange={(itemType) => itemType && change({ itemType })}
      />
      <TagsInput
        label={nameField('tags')}
        description="Enter or a comma ends a tag."
        value={draft.tags}
        error={problems.tags}
        isDuplicate={(tag, tags) => tags.includes(tag)}
        onChange={(tags) => change({ tags })}
      />
      <LevelTableSelect
        sandbox={sandbox}
        value={draft.levelTableId}
        error={problems.level_xp_table_id}
        onChange={(levelTableId) => change({ levelTableId })}
      />
    </>
  );
};
