import type { ComponentProps } from 'react';
import { onDemand } from '../../design/on-demand.tsx';
import { loadTextsOf } from '../../text/index.tsx';
import { MessageText } from '../text/message-text.tsx';
import type { Asked } from './asked.tsx';
import type { BlocksProps } from './message-blocks.tsx';
import type { OnlyYou as Shown } from './only-you.tsx';

/** What an application has told one person; nothing, until the code is there. */
export const OnlyYou = onDemand<ComponentProps<typeof Shown>>(async () => {
  const [{ OnlyYou: Shown }] = await Promise.all([import('./only-you.tsx'), loadTextsOf('blocks')]);
  return Shown;
});

/** How commands and shortcuts go; nothing, until the code is there. */
export const AskedOnDemand = onDemand<ComponentProps<typeof Asked>>(async () => {
  const [{ Asked }] = await Promise.all([import('./asked.tsx'), loadTextsOf('blocks')]);
  return Asked;
});

/** What an application shows in a message; its text, until the code is there. */
export const Blocks = onDemand<BlocksProps>(
  async () => {
    const [{ MessageBlocks }] = await Promise.all([import('./message-blocks.tsx'), loadTextsOf('blocks')]);
    return MessageBlocks;
  },
  ({ message }) => <MessageText text={message.text} message={message} />,
);
