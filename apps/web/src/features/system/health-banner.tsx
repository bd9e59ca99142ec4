import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { usePermission } from '../../api/me.ts';
import { Icon } from '../../ui/icons.tsx';
import classes from './health-banner.module.css';
import { healthOptions } from './health-query.ts';
import { judge, listAlarms } from './thresholds.ts';

/** On every page while a threshold is exceeded, for everyone who may see the page System. */
export const HealthBanner = () => {
  const mayView = usePermission(['metrics:view']);
  const { data } = useQuery({ ...healthOptions, enabled: mayView });
  const alarms = data && mayView ? listAlarms(judge(data.points)) : [];
  const [first] = alarms;
  if (!first) return null;
  return (
    <div className={classes.banner} role="status" data-level={first.level} data-banner>
      <Icon name="info-circle" size={16} stroke={1.7} />
      <Text size="sm" component="span">
        <strong>{first.level === 'critical' ? 'Critical' : 'Warning'}</strong>:{' '}
        {alarms.map(({ label, value }) => `${label} ${value}`).join(' · ')} ·{' '}
        <Link to="/system">System</Link>
      </Text>
    </div>
  );
};
