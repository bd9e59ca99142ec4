import {
  Box,
  Button,
  Checkbox,
  FileInput,
  Group,
  Input,
  SegmentedControl,
  Select,
  Stack,
  Text,
  Textarea,
} from '@mantine/core';
import { nameField } from '@muster/record-diff';
import type { DragEvent, ReactNode } from 'react';
import { Fragment, useState } from 'react';
import { useSandboxId } from '../../api/sandboxes.ts';
import { ReasonInput, submitBy } from '../../ui/forms.tsx';
import { Icon } from '../../ui/icons.tsx';
import { useUrlChange } from '../../ui/url-state.tsx';
import { KIND_CHOICES, RECORD_KINDS } from '../records/record-kind.ts';
import { COLUMNS, FORMATS } from './import-file.ts';
import classes from './import-source.module.css';
import type { Source } from './use-import.ts';

type SourceFormProps = {
  source: Source;
  /** The reason why the source cannot be checked. */
  problem?: string;
  /** Called when the source changes, which makes the last check outdated. */
  onChange: () => void;
  onCheck: () => void;
  isChecked: boolean;
};

const SOURCES = [
  { value: 'file', label: 'From a file' },
  { value: 'text', label: 'Paste' },
];

export const SourceForm = (props: SourceFormProps) => {
  const { source, problem, onChange, onCheck, isChecked } = props;
  const sandbox = useSandboxId();
  const changeUrl = useUrlChange();
  const change = (values: Readonly<Record<string, unknown>>) => {
    changeUrl(values);
    onChange();
  };
  const { many } = RECORD_KINDS[source.kind];
  return (
    <Box component="form" noValidate className="column raised" p="md" onSubmit={submitBy(onCheck)}>
      <Group gap="sm" align="flex-end">
        <Choice
          label="What to import"
          data={KIND_CHOICES}
          value={source.kind}
          onChange={(kind) => change({ kind: kind === 'xp' ? kind : undefined })}
        />
        <Choice
          label="Where from"
          data={SOURCES}
          value={source.isText ? 'text' : 'file'}
          onChange={(from) => change({ from: from === 'text' ? from : undefined })}
        />
        <Select
          w={200}
          label="Format"
          data={[
            { value: 'auto', label: describeRecognised(source) },
            { value: 'csv', label: FORMATS.csv },
            { value: 'ndjson', label: FORMATS.ndjson },
          ]}
          value={source.isRecognised ? 'auto' : source.format}
          onChange={(format) => change({ format: format === 'auto' ? undefined : format })}
        />
      </Group>
      <SourceInput source={source} problem={problem} onChange={onChange} />
      <Text size="xs" c="dimmed">
        The columns are <Columns names={COLUMNS[source.kind]} />. Other columns become custom data,
        unless you choose otherwise. Lists may be written as <code>a;b</code>. JSON has the same
        names. A row with neither an id nor a known legacy id creates a record.{' '}
        <a href={`/admin/export/${sandbox}/${source.kind}?format=csv`} download>
          Download the {many} of this sandbox as CSV
        </a>{' '}
        to start from.
      </Text>
      <Checkbox
        label={`Delete the ${many} that are not in the file`}
        description="Only for a complete file. What is deleted can be restored."
        checked={source.deletesMissing}
        onChange={(event) =>
          change({ missing: event.currentTarget.checked ? 'delete' : undefined })
        }
      />
      <ReasonInput
        description="Shown in the history of each record. Optional."
        value={source.reason}
        onChange={(reason) => {
          source.setReason(reason);
          onChange();
        }}
      />
      <Group>
        <Button type="submit" variant={isChecked ? 'default' : 'filled'}>
          {isChecked ? 'Check again' : 'Check'}
        </Button>
        <Text size="xs" c="dimmed">
          Checking changes no record.
        </Text>
      </Group>
    </Box>
  );
};

/** The column names of the file, with the labels of the forms on hover. */
const Columns = ({ names }: { names: readonly string[] }) =>
  names.map((name, index) => (
    <Fragment key={name}>
      {index > 0 && ', '}
      <code className="anywhere" data-hint={nameField(name)}>
        {name}
      </code>
    </Fragment>
  ));

const describeRecognised = ({ isGiven, formatName }: Source): string =>
  isGiven ? `Recognised: ${formatName}` : 'Recognised automatically';

type ChoiceProps = {
  label: string;
  data: { value: string; label: ReactNode }[];
  value: string;
  onChange: (value: string) => void;
};

const Choice = ({ label, ...control }: ChoiceProps) => (
  <Stack gap={0} align="flex-start">
    <Input.Label component="div" size="xs" aria-hidden>
      {label}
    </Input.Label>
    <SegmentedControl aria-label={label} {...control} />
  </Stack>
);

type SourceInputProps = { source: Source; problem?: string; onChange: () => void };

const EXAMPLES = {
  csv: {
    item: 'name,item_type,tags\nIron Sword,unit,"[""melee""]"',
    xp: 'name,xp_thresholds\nWarrior,"[{""level"":1,""xp"":0},{""level"":2,""xp"":100}]"',
  },
  ndjson: {
    item: '{"name": "Iron Sword", "item_type": "unit", "tags": ["melee"]}',
    xp: '{"name": "Warrior", "xp_thresholds": [{"level": 1, "xp": 0}, {"level": 2, "xp": 100}]}',
  },
};

const SourceInput = ({ source, problem, onChange }: SourceInputProps) =>
  source.isText ? (
    <Textarea
      label="Rows"
      classNames={{ input: classes.text }}
      placeholder={EXAMPLES[source.isRecognised ? 'csv' : source.format][source.kind]}
      autosize
      minRows={6}
      maxRows={16}
      spellCheck={false}
      value={source.text}
      error={problem}
      onChange={(event) => {
        source.setText(event.currentTarget.value);
        onChange();
      }}
    />
  ) : (
    <FileField source={source} problem={problem} onChange={onChange} />
  );

const FileField = ({ source, problem, onChange }: SourceInputProps) => {
  const [isOver, setOver] = useState(false);
  const choose = (file: File | null) => {
    source.setFile(file);
    onChange();
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const [file] = event.dataTransfer.files;
    if (file) choose(file);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping a file is a mouse shortcut for the button.
    <div
      className={classes.drop}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <FileInput
        size="xs"
        label="File"
        description="CSV, Excel (.xlsx), JSON or NDJSON, up to 50,000 rows and 64 MiB. It can be dropped here as well."
        placeholder="Choose a file …"
        leftSection={<Icon name="file-import" size={15} />}
        accept=".csv,.tsv,.xlsx,.ndjson,.jsonl,.json,.txt,text/csv,application/x-ndjson"
        clearable
        clearButtonProps={{ 'aria-label': 'Remove the file' }}
        value={source.file}
        error={problem}
        onChange={choose}
      />
    </div>
  );
};
