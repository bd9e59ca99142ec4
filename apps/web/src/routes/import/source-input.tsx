import { FileInput, Textarea } from '@mantine/core';
import { IconFileImport } from '@tabler/icons-react';
import type { DragEvent } from 'react';
import { useState } from 'react';
import classes from './import.module.css';
import type { Source } from './use-source.ts';

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

export const SourceInput = ({ source, problem, onChange }: SourceInputProps) =>
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
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is the mouse's way to what the button does.
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
        description="CSV or NDJSON, up to 50,000 rows and 64 MiB. It can be dropped here as well."
        placeholder="Choose a file …"
        leftSection={<IconFileImport size={15} aria-hidden />}
        accept=".csv,.ndjson,.jsonl,.json,.txt,text/csv,application/x-ndjson"
        clearable
        clearButtonProps={{ 'aria-label': 'Remove the file' }}
        value={source.file}
        error={problem}
        onChange={choose}
      />
    </div>
  );
};
