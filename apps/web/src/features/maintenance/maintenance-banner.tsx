import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { maintenanceOptions } from '../../api/maintenance.ts';
import { Icon } from '../../ui/icons.tsx';
import { TimeText } from '../../ui/time.tsx';
import classes from './maintenance-banner.module.css';

/** On every page while maintenance is on. */
export const MaintenanceBanner = () => {
  const { data } = useQuery(maintenanceOptions);
  if (!data?.enabled) return null;
  const { since = '', reason } = data;
  return (
    <div className={classes.banner} role="status" data-banner>
      <Icon name="info-circle" size={16} stroke={1.7} />
      <Text size="sm" component="span">
        <strong>Maintenance</strong> since <TimeText at={since} />
        {reason === undefined ? '. ' : ` · ${reason} · `}
        Joins and changes are refused. You can read everything.
      </Text>
    </div>
  );
};
