import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form'
import { clearDraft, useDraft } from './form-draft.ts'
import { type SubmitOptions, useSubmit } from './use-submit.ts'

type FormSubmission<Typed extends FieldValues, Checked, Answer> = SubmitOptions<Checked, Answer> & {
  /** storage key of the draft, see `useDraft`; the draft is cleared once the store has accepted the form */
  draft?: string
  /** the fields below which the messages of a refusal are shown, where it has some of the same names */
  fields?: readonly FieldPath<Typed>[]
  /** a submit with invalid fields removes the refusal of the submit before */
  clearsWhenInvalid?: boolean
}

/** Submits a form: the draft, the checked values, and a refusal with its messages per field. The form's `isSubmitting` is the busy state. */
export function useFormSubmit<Typed extends FieldValues, Checked, Answer>(
  form: UseFormReturn<Typed, unknown, Checked>,
  { draft, fields = [], clearsWhenInvalid = false, onDone, onRefused, ...submission }: FormSubmission<Typed, Checked, Answer>,
) {
  useDraft(form, draft)
  const { submit, refusal, setRefusal } = useSubmit<Checked, Answer>({
    ...submission,
    onDone(answer, checked) {
      if (draft) clearDraft(draft)
      return onDone?.(answer, checked)
    },
    onRefused(error, checked) {
      for (const field of fields) if (error.errors[field]) form.setError(field, { message: error.errors[field] })
      return onRefused?.(error, checked)
    },
  })
  return {
    submit: form.handleSubmit(
      (checked) => submit(checked),
      () => clearsWhenInvalid && setRefusal(undefined),
    ),
    refusal,
    setRefusal,
  }
}
