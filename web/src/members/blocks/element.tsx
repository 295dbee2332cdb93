import type { Element } from '../../api/types.ts';
import { ButtonElement } from './button-element.tsx';
import { CheckboxesElement, RadioElement } from './choice-elements.tsx';
import { DateElement, MomentElement, TimeElement } from './date-elements.tsx';
import { Picture } from './picture.tsx';
import { ConversationSelect, OfferSelect, OptionSelect, PeopleSelect } from './select-elements.tsx';
import { FeedbackElement, IconButtonElement, OverflowElement } from './small-elements.tsx';
import { FileElement, TextElement } from './text-elements.tsx';

/** What can be pressed, chosen or filled in. */
export function ElementOf({ element }: { element: Element }) {
  switch (element.type) {
    case 'button':
      return <ButtonElement element={element} />;
    case 'image':
      return <Picture image={element} />;
    case 'overflow':
      return <OverflowElement element={element} />;
    case 'checkboxes':
      return <CheckboxesElement element={element} />;
    case 'radio_buttons':
      return <RadioElement element={element} />;
    case 'static_select':
    case 'multi_static_select':
      return <OptionSelect element={element} />;
    case 'external_select':
    case 'multi_external_select':
      return <OfferSelect element={element} />;
    case 'users_select':
    case 'multi_users_select':
      return <PeopleSelect element={element} />;
    case 'conversations_select':
    case 'channels_select':
    case 'multi_conversations_select':
    case 'multi_channels_select':
      return <ConversationSelect element={element} />;
    case 'datepicker':
      return <DateElement element={element} />;
    case 'timepicker':
      return <TimeElement element={element} />;
    case 'datetimepicker':
      return <MomentElement element={element} />;
    case 'plain_text_input':
    case 'number_input':
    case 'email_text_input':
    case 'url_text_input':
    case 'rich_text_input':
      return <TextElement element={element} />;
    case 'file_input':
      return <FileElement />;
    case 'feedback_buttons':
      return <FeedbackElement element={element} />;
    case 'icon_button':
      return <IconButtonElement element={element} />;
  }
}
