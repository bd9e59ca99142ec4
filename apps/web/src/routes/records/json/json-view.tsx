import { Button, CopyButton, Group } from '@mantine/core';
import type { RecordFields } from '../../../features/records/record-kind.ts';
import classes from './json-editor.module.css';

/** JSON to be read and copied. */
export const JsonView = ({ fields }: { fields: RecordFields }) => {
  const text = JSON.stringify(fields, null, 2);
  return (
    <div className={classes.editor}>
      <Group justify="flex-end" mb="xs">
        <CopyButton value={text}>
          {({ copied, copy }) => (
            <Button variant="default" onClick={copy}>
              {copied ? 'Copied' : 'Copy JSON'}
            </Button>
          )}
        </CopyButton>
      </Group>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard. */}
      <pre className={classes.view} tabIndex={0}>
        {text}
      </pre>
    </div>
  );
};
