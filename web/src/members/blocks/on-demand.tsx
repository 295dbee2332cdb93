import { onDemand } from '../../design/on-demand.tsx';
import { loadTextsOf } from '../../text/index.tsx';
import { MessageText } from '../text/message-text.tsx';
import type { BlocksProps } from './message-blocks.tsx';

/** What an application shows in a message; its text, until the code is there. */
export const Blocks = onDemand<BlocksProps>(
  async () => {
    const [{ MessageBlocks }] = await Promise.all([import('./message-blocks.tsx'), loadTextsOf('blocks')]);
    return MessageBlocks;
  },
  ({ message }) => <MessageText text={message.text} message={message} />,
);
