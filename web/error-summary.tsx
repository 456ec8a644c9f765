import { useEffect, useRef } from 'react'
import { type FieldPath, type FieldValues, type UseFormReturn, useFormState } from 'react-hook-form'
import { Notice } from './notice.tsx'

type ErrorSummaryProps<Typed extends FieldValues, Checked> = {
  form: UseFormReturn<Typed, unknown, Checked>
  /** the form's fields from top to bottom: name and label */
  fields: { name: FieldPath<Typed>; label: string }[]
}

/**
 * Stands above a form. When a submit finds one mistake, its field takes the focus; with several they are listed here, each a link to its field,
 * and the list takes it. As long as something is wrong the document's title says so. The form's own `shouldFocusError` has to be off.
 */
export function ErrorSummary<Typed extends FieldValues, Checked>({ form, fields }: ErrorSummaryProps<Typed, Checked>) {
  const { submitCount, errors } = useFormState({ control: form.control })
  const list = useRef<HTMLDivElement>(null)
  const told = useRef(0)
  const wrong = fields.flatMap(({ name, label }) => {
    const message = form.getFieldState(name, { ...form.formState, errors }).error?.message
    return message ? [{ name, label, message }] : []
  })
  const submitted = submitCount > 0
  useErrorInTitle(submitted && wrong.length > 0)

  useEffect(() => {
    if (told.current === submitCount) return
    told.current = submitCount
    const [first, ...others] = wrong
    if (others.length > 0) list.current?.focus()
    else if (first) form.setFocus(first.name)
  }, [submitCount, wrong, form])

  if (!submitted || wrong.length < 2) return null
  return (
    <Notice kind="error" title={`${wrong.length} fields need another look`} ref={list}>
      <ul className="list-disc ps-5">
        {wrong.map(({ name, label, message }) => (
          <li key={name}>
            <a
              href={`#${name}`}
              className="block underline underline-offset-2"
              onClick={(event) => {
                event.preventDefault() // the address stays: Back leaves the form, not the link
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

const mark = 'Error: '

function useErrorInTitle(wrong: boolean): void {
  useEffect(() => {
    if (!wrong) return
    document.title = mark + document.title
    return () => {
      // The next page may have set its own by now.
      if (document.title.startsWith(mark)) document.title = document.title.slice(mark.length)
    }
  }, [wrong])
}
