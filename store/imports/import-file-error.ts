/** An error that makes the whole file unusable, with a message for the admin. Nothing of the file is imported. */
export class ImportFileError extends Error {
  /** row of the error, if known */
  row: number | undefined

  constructor(message: string, row?: number) {
    super(message)
    this.row = row
  }

  /** The message, prefixed with the row. */
  get messageWithRow(): string {
    return this.row === undefined ? this.message : `Row ${this.row}: ${this.message}`
  }
}
