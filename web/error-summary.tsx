import { useEffect, useRef } from 'react'
import { type FieldPath, type FieldValues, type UseFormReturn, useFormState } from 'react-hook-form'
import { Notice } from './notice.tsx'

type ErrorSummaryProps<Typed extends FieldValues, Checked> = {
  form: UseFormReturn<Typed, unknown, Checked>
  /** the form's fields from top to bottom: name and label */
  fields: { name: FieldPath<Typed>; label: string }[]
}

/**
 * Validation summary above a form. After a submit with one invalid field, that field is focused. With several, the summary lists them as
 * links to their fields and is focused itself. While a field is invalid, the document title starts with "Error: ".
 * Requires `shouldFocusError: false` on the form.
 */
export function ErrorSummary<Typed extends FieldValues, Checked>({ form, fields }: ErrorSummaryProps<Typed, Checked>) {
  const { submitCount, errors } = useFormState({ control: form.control })
  const summaryRef = useRef<HTMLDivElement>(null)
  const handledSubmitCount = useRef(0)
  const invalidFields = fields.flatMap(({ name, label }) => {
    const message = form.getFieldState(name, { ...form.formState, errors }).error?.message
    return message ? [{ name, label, message }] : []
  })
  const submitted = submitCount > 0
  useErrorInTitle(submitted && invalidFields.length > 0)

  useEffect(() => {
    if (handledSubmitCount.current === submitCount) return
    handledSubmitCount.current = submitCount
    const [first, ...others] = invalidFields
    if (others.length > 0) summaryRef.current?.focus()
    else if (first) form.setFocus(first.name)
  }, [submitCount, invalidFields, form])

  if (!submitted || invalidFields.length < 2) return null
  return (
    <Notice kind="error" title={`${invalidFields.length} fields need another look`} ref={summaryRef}>
      <ul className="list-disc ps-5">
        {invalidFields.map(({ name, label, message }) => (
          <li key={name}>
            <a
              href={`#${name}`}
              className="block underline underline-offset-2"
              onClick={(event) => {
                event.preventDefault() // keeps the URL, so that Back leaves the form
                form.setFocus(name)
              }}
            >
              {label}: {message}
            </a>
          </li>
        ))}
      </ul>
    </Notice>
  )
}

const errorTitlePrefix = 'Error: '

function useErrorInTitle(hasErrors: boolean): void {
  useEffect(() => {
    if (!hasErrors) return
    document.title = errorTitlePrefix + document.title
    return () => {
      // The next page may already have set its own title.
      if (document.title.startsWith(errorTitlePrefix)) document.title = document.title.slice(errorTitlePrefix.length)
    }
  }, [hasErrors])
}
