import { Alert, Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import classes from './import.module.css';
import type { ImportAnswer } from './import-answer.ts';
import { countChanges } from './import-answer.ts';
import type { ImportKind } from './import-kinds.ts';
import { KINDS } from './import-kinds.ts';

type ImportResultProps = { sandbox: string; kind: ImportKind; answer: ImportAnswer };

export const ImportResult = ({ sandbox, kind, answer }: ImportResultProps) => {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const total = countChanges(answer);
  const { one, many, list } = KINDS[kind];
  return (
    <Alert color="green">
      <h2 ref={heading} tabIndex={-1} className={classes.heading}>
        Imported: {total.toLocaleString('en')} {total === 1 ? `${one} was` : `${many} were`} written
      </h2>
      <Group gap="md" mt="xs">
        {answer.transaction_id && (
          <Link
            to="/s/$sandbox/history"
            params={{ sandbox }}
            search={{ transaction_id: answer.transaction_id }}
          >
            See every change in the history
          </Link>
        )}
        <Link to={list} params={{ sandbox }}>
          Open {many}
        </Link>
      </Group>
    </Alert>
  );
};
