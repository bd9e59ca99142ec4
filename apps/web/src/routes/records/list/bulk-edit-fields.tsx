import { Autocomplete, Select, TagsInput, TextInput } from '@mantine/core';
import { nameField } from '@muster/record-diff';
import { ITEM_TYPES } from '../../../features/records/item-types.ts';
import type { RecordKind } from '../../../features/records/record-kind.ts';
import type { StoredItem, StoredRecord } from '../../../features/records/record-procedures.ts';
import classes from './bulk.module.css';
import type { BulkEdit } from './bulk-edit.ts';

type BulkEditFieldsProps = {
  kind: RecordKind;
  records: readonly StoredRecord[];
  edit: BulkEdit;
  onChange: (edit: BulkEdit) => void;
};

export const BulkEditFields = ({ kind, records, edit, onChange }: BulkEditFieldsProps) => {
  const change = (part: Partial<BulkEdit>) => onChange({ ...edit, ...part });
  const keys = [...new Set(records.flatMap(({ custom_data }) => Object.keys(custom_data)))];
  return (
    <>
      <p className={classes.hint}>What is left empty stays as it is.</p>
      {kind.kind === 'item' && <ItemParts records={records} edit={edit} change={change} />}
      <div className={classes.pair}>
        <Autocomplete
          label="Set a key of custom data"
          placeholder="Key"
          data={keys}
          value={edit.setKey}
          onChange={(setKey) => change({ setKey })}
        />
        <TextInput
          label="to this value"
          placeholder="Value"
          disabled={edit.setKey === ''}
          value={edit.setValue}
          onChange={(event) => change({ setValue: event.currentTarget.value })}
        />
      </div>
      <Autocomplete
        label="Remove a key of custom data"
        placeholder="Key"
        data={keys}
        value={edit.removeKey}
        onChange={(removeKey) => change({ removeKey })}
      />
    </>
  );
};

type ItemPartsProps = Pick<BulkEditFieldsProps, 'records' | 'edit'> & {
  change: (part: Partial<BulkEdit>) => void;
};

const ItemParts = ({ records, edit, change }: ItemPartsProps) => {
  const tags = [...new Set((records as readonly StoredItem[]).flatMap((item) => item.tags))];
  const isDuplicate = (tag: string, chosen: string[]) => chosen.includes(tag);
  return (
    <>
      <Select
        label={nameField('item_type')}
        placeholder="As it is"
        clearable
        clearButtonProps={{ 'aria-label': 'Leave the item type as it is' }}
        data={[...ITEM_TYPES]}
        value={edit.itemType}
        onChange={(itemType) => change({ itemType })}
      />
      <div className={classes.pair}>
        <TagsInput
          label="Add tags"
          value={edit.addTags}
          isDuplicate={isDuplicate}
          onChange={(addTags) => change({ addTags })}
        />
        <TagsInput
          label="Remove tags"
          data={tags}
          value={edit.removeTags}
          isDuplicate={isDuplicate}
          onChange={(removeTags) => change({ removeTags })}
        />
      </div>
    </>
  );
};
