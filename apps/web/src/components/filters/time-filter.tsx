import { TextInput } from '@mantine/core';
import { timeZone } from '../../preferences/time-zone.ts';
import { toInputValue, toInstant } from '../time/input-time.ts';
import { useUrlChange, useUrlValues } from '../url/url-state.ts';

/** A moment, typed in the zone that times are shown in, and kept in the address as RFC 3339 UTC. */
export const TimeFilter = ({ name, label }: { name: string; label: string }) => {
  const { [name]: inAddress } = useUrlValues();
  const zone = timeZone.use();
  const change = useUrlChange();
  return (
    <TextInput
      type="datetime-local"
      step={1}
      w={205}
      label={zone === 'utc' ? `${label} (UTC)` : label}
      // Uncontrolled: the browser's own field passes through values that are no times while one types.
      key={`${String(inAddress)} ${zone}`}
      defaultValue={typeof inAddress === 'string' ? toInputValue(inAddress, zone) : ''}
      onBlur={(event) =>
        change({ [name]: toInstant(event.currentTarget.value, zone), sel: undefined })
      }
      onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
    />
  );
};
