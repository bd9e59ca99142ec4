import { Group } from '@mantine/core';
import { useRef, useState } from 'react';
import { CopyText } from '../../ui/copyable.tsx';
import { toDraft } from './draft.ts';
import classes from './json-editor.module.css';
import type { JsonProblem } from './read-json.ts';
import { readJson, writeJson } from './read-json.ts';
import type { DraftState } from './use-draft.ts';

/** The draft as JSON. Valid JSON updates the draft at once; invalid JSON remains in the editor. */
export const JsonEditor = ({ state }: { state: DraftState }) => {
  const { kind, fields, change, pendingJson, setPendingJson } = state;
  const field = useRef<HTMLTextAreaElement>(null);
  // Keeps the user's formatting while the JSON equals the draft.
  const [typed, setTyped] = useState<string | null>(null);
  const written = writeJson(fields);
  const text = pendingJson ?? (typed && isSame(typed, fields) ? typed : written);
  const read = readJson(kind, text);
  const problems = 'problems' in read ? read.problems : [];
  const type = (next: string) => {
    setTyped(next);
    const result = readJson(kind, next);
    setPendingJson('problems' in result ? next : null);
    if ('fields' in result) change(toDraft(kind, result.fields));
  };
  const show = ({ offset, length }: JsonProblem) => {
    field.current?.focus();
    field.current?.setSelectionRange(offset, offset + Math.max(length, 1));
  };
  return (
    <div>
      <Group justify="space-between" mb="xs">
        <p className="hint">
          {problems.length === 0 ? 'Valid. The form follows what you type.' : 'Not valid yet.'}
        </p>
        <CopyText label="JSON" text={text} />
      </Group>
      <div className={classes.frame}>
        <Gutter text={text} problems={problems} />
        <textarea
          ref={field}
          className={classes.text}
          aria-label="Record as JSON"
          aria-invalid={problems.length > 0}
          aria-describedby="json-problems"
          spellCheck={false}
          autoCapitalize="off"
          wrap="off"
          rows={text.split('\n').length + 1}
          value={text}
          onChange={(event) => type(event.currentTarget.value)}
        />
      </div>
      <ul className={classes.problems} id="json-problems" aria-live="polite">
        {problems.map((problem) => (
          <li key={`${problem.offset} ${problem.message}`}>
            <button type="button" onClick={() => show(problem)}>
              Line {problem.line}
            </button>
            {problem.message}
          </li>
        ))}
      </ul>
    </div>
  );
};

const isSame = (text: string, fields: object): boolean => {
  try {
    return JSON.stringify(JSON.parse(text)) === JSON.stringify(fields);
  } catch {
    return false;
  }
};

const Gutter = ({ text, problems }: { text: string; problems: readonly JsonProblem[] }) => {
  const bad = new Set(problems.map(({ line }) => line));
  return (
    <div className={classes.gutter} aria-hidden>
      {text.split('\n').map((_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line number is its position.
        <span key={index} data-bad={bad.has(index + 1) || undefined}>
          {index + 1}
        </span>
      ))}
    </div>
  );
};
