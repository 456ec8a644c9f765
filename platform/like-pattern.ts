/** For `like` and `ilike`: this text anywhere, with what would be wildcards in it taken as text. */
export const containsPattern = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`
