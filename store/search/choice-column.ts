import { choiceForm } from '#store/catalogue/choice-spelling.ts'
import type { ValueCounts } from './count-values.ts'
import { DictionaryColumn, unknownValueId } from './dictionary-column.ts'

export type CountedChoice = { value: string; count: number }

/** A column of lists of choices, such as sockets; a single choice is a list of one. Choices that differ in spelling only have one form. */
export class ChoiceColumn extends DictionaryColumn<string[]> {
  readonly #spellings: string[] = []
  readonly #idBySpelling = new Map<string, number>()
  readonly #formIdByForm = new Map<string, number>()
  /** by spelling id */
  readonly #formIds: number[] = []
  /** by value id: ids of the spellings in its list */
  readonly #spellingIds: number[][] = []

  /** How many rows have each choice, in any spelling: each form in the spelling that most of them have, of equally many the first in order. */
  countForms(counted: ValueCounts): Map<number, CountedChoice> {
    const counts = this.#countSpellings(counted)
    const forms = new Map<number, CountedChoice & { most: number }>()
    for (const [id, count] of counts) {
      const value = this.#spellings[id] ?? ''
      const formId = this.#formIds[id] ?? 0
      const form = forms.get(formId)
      if (!form) {
        forms.set(formId, { value, count, most: count })
        continue
      }
      form.count += count
      if (count > form.most || (count === form.most && value < form.value)) Object.assign(form, { value, most: count })
    }
    return forms
  }

  /** Each choice of the rows in the spelling that most of them have. */
  commonSpellings(): string[] {
    const counts = new Uint32Array(this.values.length)
    for (const id of this.ids.subarray(0, this.length)) counts[id] = (counts[id] ?? 0) + 1
    const found = Uint32Array.from(counts.keys()).filter((id) => id !== unknownValueId && (counts[id] ?? 0) > 0)
    return [...this.countForms({ counts, found }).values()].map(({ value }) => value)
  }

  /** The key of `countForms` for a choice in any spelling; undefined if no row has ever had it. */
  formId(choice: string): number | undefined {
    return this.#formIdByForm.get(choiceForm(choice))
  }

  /** By spelling id. */
  #countSpellings({ counts, found }: ValueCounts): Map<number, number> {
    const bySpelling = new Map<number, number>()
    for (let at = 0; at < found.length; at++) {
      const id = found[at] ?? 0
      for (const spelling of this.#spellingsOf(id)) bySpelling.set(spelling, (bySpelling.get(spelling) ?? 0) + (counts[id] ?? 0))
    }
    return bySpelling
  }

  #spellingsOf(id: number): number[] {
    for (let next = this.#spellingIds.length; next < this.values.length; next++)
      this.#spellingIds.push((this.values[next] ?? []).map((spelling) => this.#spellingId(spelling)))
    return this.#spellingIds[id] ?? []
  }

  #spellingId(spelling: string): number {
    let id = this.#idBySpelling.get(spelling)
    if (id === undefined) {
      id = this.#spellings.push(spelling) - 1
      this.#idBySpelling.set(spelling, id)
      const form = choiceForm(spelling)
      const formId = this.#formIdByForm.get(form) ?? this.#formIdByForm.size
      this.#formIdByForm.set(form, formId)
      this.#formIds.push(formId)
    }
    return id
  }
}
