import { isolated } from '../../people/users/index.ts';
import {
  type Common,
  type Facts,
  type MailKind,
  type MessageSummary,
  namesOfRest,
  type Rest,
  type Text,
} from './mail.facts.ts';
import { PRODUCT } from './mail.template.ts';

/**
 * The texts of all mails in Arabic. Nouns stand where other languages have verbs: a verb would have to know whether a
 * woman or a man wrote, or reads. A subject begins with an Arabic word, because mail programs set a line by its first.
 */
export const arabic: { readonly [K in MailKind]: (facts: Facts[K]) => Text } = {
  email_verification: ({ name, at, from }) => ({
    subject: 'هل هذا عنوانك؟',
    paragraphs: [
      `أُنشئ بهذا العنوان حساب على ${PRODUCT} باسم ${isolated(name)}، في ${isolated(at)}. إذا كان الحساب لك، فيُرجى تأكيد العنوان.`,
      ...(from === undefined ? [] : [`جاء طلب هذا البريد من عنوان الشبكة ${isolated(from)}.`]),
    ],
    action: 'تأكيد العنوان',
    footer:
      'إذا لم يكن إنشاء الحساب منك، فيُرجى اختيار «لم أُنشئ هذا الحساب» في تلك الصفحة، وهذا يغلقه، أو تجاهل هذا البريد.',
  }),
  password_reset: ({ name }) => ({
    subject: 'تعيين كلمة مرور جديدة',
    paragraphs: [hello(name), `وصل طلب، منك على الأرجح، لكلمة مرور جديدة على ${PRODUCT}.`],
    action: 'تعيين كلمة مرور جديدة',
    footer: 'يعمل الرابط مرة واحدة ولمدة قصيرة. إذا لم يكن الطلب منك، فيُرجى تجاهل هذا البريد.',
  }),
  invitation: ({ from, team }) => ({
    subject: `دعوة من ${isolated(from)} إلى ${isolated(team)}`,
    paragraphs: [`وصلتك دعوة من ${isolated(from)} للانضمام إلى الفريق ${isolated(team)} على ${PRODUCT}.`],
    action: 'الانضمام إلى الفريق',
    footer: 'يعمل الرابط مرة واحدة. إذا كان صاحب الدعوة غير معروف لك، فيُرجى تجاهل هذا البريد.',
  }),
  security: (facts) => ({ ...security(facts), action: 'تعيين كلمة مرور جديدة' }),
  team_removed: ({ actor, team }) => ({
    subject: `انتهت عضويتك في ${isolated(team)}`,
    paragraphs: [`تمت إزالتك من الفريق ${isolated(team)} بواسطة ${isolated(actor)}.`],
    footer: `يخبرك ${PRODUCT} بالتغييرات في عضوياتك.`,
  }),
  team_role_changed: ({ actor, team, admin }) => ({
    subject: `${admin ? 'أصبح دورك مشرفًا' : 'أصبح دورك عضوًا'} في ${isolated(team)}`,
    paragraphs: [
      `${admin ? 'مُنحت دور المشرف' : 'تغيّر دورك إلى عضو'} في الفريق ${isolated(team)} بواسطة ${isolated(actor)}.`,
    ],
    action: `فتح ${PRODUCT}`,
    footer: `يخبرك ${PRODUCT} بالتغييرات في عضوياتك.`,
  }),
  calls_paused: ({ application, since }) => ({
    subject: `لا يجيب التطبيق ${isolated(application)}`,
    paragraphs: [
      `تفشل الاستدعاءات إلى تطبيقك ${isolated(application)} منذ ${isolated(since)}.`,
      `يتوقف ${PRODUCT} الآن مدة بين محاولاته، ويستأنف عمله المعتاد فور نجاح إحداها. وينهي التوقفَ فورًا استدعاءٌ اختباري ناجح.`,
    ],
    action: 'عرض الاستدعاءات',
    footer: `يخبرك ${PRODUCT} بذلك لأن التطبيق لك.`,
  }),
  messages: ({ count, more, rest, first, author, team }) => ({
    subject:
      count === 1
        ? titlesInArabic(first.author, first.team)[first.what]
        : `${newMessages(count)}${author ? ` من ${isolated(author)}` : team ? ` في ${isolated(team)}` : ''}`,
    paragraphs: [],
    ...(more > 0 && { action: `${moreMessages(more)}${namesOfRest(rest, '، ', restInArabic)}` }),
    footer: `يخبرك ${PRODUCT} بالرسائل غير المقروءة بعد.`,
  }),
};

export const commonInArabic: Common = {
  unsubscribe: 'إيقاف البريد من هذا النوع',
  attachment: '(مرفق)',
  application: (name) => `${name} (تطبيق)`,
  stop: { title: 'إيقاف هذا البريد؟', button: 'إيقاف' },
  stopped: {
    title: 'تم',
    text: 'لن يصلك بعد الآن بريد من هذا النوع. ويمكنك إعادة تشغيله من إعداداتك.',
  },
};

export function titlesInArabic(author: string, team: string | null): Record<MessageSummary['what'], string> {
  const place = team === null ? '' : ` في ${isolated(team)}`;
  return {
    mention: `إشارة إليك من ${isolated(author)}${place}`,
    sidebar: `رسالة في محادثة جانبية من ${isolated(author)}${place}`,
    reply: `رد من ${isolated(author)}${place}`,
    direct: `رسالة إليك من ${isolated(author)}`,
    message: `رسالة من ${isolated(author)}${place}`,
  };
}

const rules = new Intl.PluralRules('ar');

/** @param forms of a noun: one, two, three to ten, more; and for whole hundreds. The first two hold their number. */
function counted(
  count: number,
  forms: Readonly<Record<'one' | 'two' | 'few' | 'many' | 'other', string>>,
): string {
  const category = rules.select(count);
  if (category === 'one' || category === 'two') return forms[category];
  return `${count} ${forms[category === 'zero' ? 'other' : category]}`;
}

const newMessages = (count: number) =>
  counted(count, {
    one: 'رسالة جديدة',
    two: 'رسالتان جديدتان',
    few: 'رسائل جديدة',
    many: 'رسالة جديدة',
    other: 'رسالة جديدة',
  });

const moreMessages = (count: number) =>
  `و${counted(count, {
    one: 'رسالة أخرى',
    two: 'رسالتان أخريان',
    few: 'رسائل أخرى',
    many: 'رسالة أخرى',
    other: 'رسالة أخرى',
  })}`;

function restInArabic({ team, isMention, count }: Rest): string {
  const place = team === null ? '' : ` في ${isolated(team)}`;
  if (isMention) return `${mentions(count)}${place}`;
  return team === null ? directMessages(count) : `${count}${place}`;
}

const mentions = (count: number) =>
  counted(count, {
    one: 'إشارة إليك',
    two: 'إشارتان إليك',
    few: 'إشارات إليك',
    many: 'إشارة إليك',
    other: 'إشارة إليك',
  });

const directMessages = (count: number) =>
  counted(count, {
    one: 'رسالة مباشرة',
    two: 'رسالتان مباشرتان',
    few: 'رسائل مباشرة',
    many: 'رسالة مباشرة',
    other: 'رسالة مباشرة',
  });

const hello = (name: string) => `مرحبًا ${isolated(name)}،`;

function security(facts: Facts['security']): Omit<Text, 'action'> {
  if (facts.event === 'guesses') {
    return {
      subject: 'كلمات مرور خاطئة لحسابك',
      paragraphs: [
        hello(facts.name),
        `جُرّبت كلمات مرور خاطئة كثيرة لحسابك على ${PRODUCT}. ولم تكن أي منها صحيحة.`,
        'تُبطَّأ المحاولات اللاحقة. ولا يتأثر بذلك أي متصفح سبق تسجيل دخولك منه. أما في غيره فقد يلزم الانتظار، أو تعيين كلمة مرور جديدة بالبريد.',
      ],
      footer:
        'يصلك هذا البريد مرة واحدة في اليوم على الأكثر. إذا كانت كلمة مرورك طويلة وغير مستخدمة في أي مكان آخر، فلا يلزم أي إجراء.',
    };
  }
  if (facts.event === 'sign_up') {
    return {
      subject: 'محاولة إنشاء حساب بعنوانك',
      paragraphs: [
        hello(facts.name),
        `حاول شخص ما إنشاء حساب على ${PRODUCT} بهذا العنوان. لهذا العنوان حساب بالفعل، ولم يتغيّر شيء.`,
        'إذا كانت المحاولة منك، فيُرجى تسجيل الدخول، أو تعيين كلمة مرور جديدة عند نسيانها. وإذا لم تكن منك، فلا يلزم أي إجراء.',
      ],
      footer: 'يصلك هذا البريد مرة واحدة في اليوم على الأكثر.',
    };
  }
  return {
    subject: 'تم تغيير كلمة مرورك',
    paragraphs: [
      hello(facts.name),
      `تم تغيير كلمة مرور حسابك على ${PRODUCT}: ${isolated(facts.at)}.`,
      'إذا كان التغيير منك، فلا يلزم أي إجراء. وإذا لم يكن منك، فيُرجى تعيين كلمة مرور جديدة الآن، وهو ما ينهي كل الجلسات، وإبلاغ مسؤول الخادم.',
    ],
    footer: `يخبرك ${PRODUCT} بكل تغيير في كلمة مرورك.`,
  };
}
