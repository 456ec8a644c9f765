/** What makes a file unreadable as a whole, in words for the reader. Nothing of such a file is imported. */
export class FileFault extends Error {
  /** of the row that it stands in, where that is known */
  row: number | undefined

  constructor(message: string, row?: number) {
    super(message)
    this.row = row
  }

  /** The words with the row in front. */
  get sentence(): string {
    return this.row === undefined ? this.message : `Row ${this.row}: ${this.message}`
  }
}
