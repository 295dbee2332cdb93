const camel = (words: string): string =>
  words
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean)
    .map((word) => word[0]?.toUpperCase() + word.slice(1))
    .join('');

const singular = (word: string): string => word.replace(/ies$/, 'y').replace(/([^s])s$/, '$1');

/**
 * The name of an operation in generated clients, as `deleteTeamUser` for `DELETE /v1/teams/:team/users/:user`. It follows
 * from method and path alone, so it is as stable as these.
 */
export function operationIdOf(method: string, path: string): string {
  const words: string[] = [];
  for (const segment of path.split('/').filter((part) => part !== '' && part !== 'v1')) {
    const parameter = /^[:{](\w+)\}?$/.exec(segment)?.[1];
    if (parameter === undefined) words.push(segment);
    else {
      const owner = singular(words.pop() ?? '');
      words.push(owner, ...(owner === parameter ? [] : ['by', parameter]));
    }
  }
  return method.toLowerCase() + words.map(camel).join('');
}
