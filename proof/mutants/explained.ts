/** Mutants that no test can notice, or need not, and why: the line before and after, without the blanks around it. */
export const explained: { file: string; from: string; to: string | undefined; why: string }[] = []
