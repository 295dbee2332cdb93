const SEEN = /[^\s\u2800\p{Default_Ignorable_Code_Point}\p{Cc}\u2028\u2029\ufff9-\ufffb]/u;

/** Whether a text shows anything, be it a lone mark. The web application asks, too. */
export const isSeen = (text: string) => SEEN.test(text);
