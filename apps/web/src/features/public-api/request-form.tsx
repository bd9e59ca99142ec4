import {
  Box,
  Button,
  Group,
  PasswordInput,
  SegmentedControl,
  Select,
  TextInput,
} from '@mantine/core';
import { useRef } from 'react';
import { useCommand } from '../../ui/commands.ts';
import { submitBy } from '../../ui/forms.tsx';
import { KIND_CHOICES } from '../records/record-kind.ts';
import type { RequestFields } from './public-request.ts';
import classes from './request-form.module.css';

type RequestFormProps = {
  fields: RequestFields;
  token: string;
  problems: Partial<Record<keyof RequestFields, string>>;
  /** The reason why the request could not be sent. */
  problem?: string;
  isBusy: boolean;
  onEdit: (changes: Partial<RequestFields>) => void;
  onToken: (token: string) => void;
  onSend: () => void;
};

const ORDERS = [
  { value: 'desc', label: 'Newest first' },
  { value: 'asc', label: 'Oldest first' },
];

export const RequestForm = (props: RequestFormProps) => {
  const { fields, token, problems, problem, isBusy, onEdit, onToken, onSend } = props;
  const main = useRef<HTMLInputElement>(null);
  useCommand({ label: 'Go to the name', keys: '/', run: () => main.current?.select() });
  const text = (name: 'ids' | 'legacy_ids' | 'name' | 'page_size') => ({
    value: fields[name],
    error: problems[name],
    onChange: (event: { currentTarget: HTMLInputElement }) =>
      onEdit({ [name]: event.currentTarget.value }),
  });
  const one = fields.kind === 'item' ? 'Item' : 'Xp';
  return (
    <Box component="form" className="column raised" p="md" noValidate onSubmit={submitBy(onSend)}>
      <SegmentedControl
        aria-label="Which history"
        style={{ alignSelf: 'flex-start' }}
        data={KIND_CHOICES}
        value={fields.kind}
        onChange={(kind) => onEdit({ kind: kind === 'xp' ? 'xp' : 'item' })}
      />
      <div className={classes.fields}>
        <TextInput ref={main} label="Name contains" placeholder="Any name" {...text('name')} />
        <TextInput label={`${one} ids`} placeholder="Any; separated by commas" {...text('ids')} />
        <TextInput
          label="Legacy ids"
          placeholder="Any; separated by commas"
          {...text('legacy_ids')}
        />
        <Select
          label="Order"
          data={ORDERS}
          value={fields.sort_order}
          onChange={(order) => onEdit({ sort_order: order === 'asc' ? 'asc' : 'desc' })}
        />
        <TextInput label="Page size" placeholder="50" inputMode="numeric" {...text('page_size')} />
      </div>
      <Group gap="sm" align="flex-end">
        <PasswordInput
          flex="1 1 18rem"
          maw="40rem"
          label="Bearer token"
          description="A key from Keys, or a JWT. Kept in the memory of this page only. None where the histories are public."
          placeholder="Paste a token"
          autoComplete="off"
          visibilityToggleButtonProps={{ 'aria-label': 'Show the token', tabIndex: 0 }}
          value={token}
          error={problem}
          onChange={(event) => onToken(event.currentTarget.value)}
        />
        <Button type="submit" loading={isBusy}>
          Send
        </Button>
      </Group>
    </Box>
  );
};
