import type { ComponentProps } from 'react';
import { AskedOnDemand } from '../blocks/on-demand.tsx';
import { NO_BLOCK, useHasPresses } from '../state/presses.ts';

/** How the commands and shortcuts of a place go; nothing, while none is under way. */
export const AskedAt = (props: ComponentProps<typeof AskedOnDemand>) =>
  useHasPresses(props.place, NO_BLOCK) ? <AskedOnDemand {...props} /> : null;
