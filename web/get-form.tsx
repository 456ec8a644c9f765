import type { ComponentProps } from 'react'
import { useNavigate } from 'react-router'

/**
 * A form whose fields become the query of the address. Not React Router's `Form`, which also sends actions: that is a kilobyte of script on
 * every page, and screens call the API themselves.
 */
export function GetForm(props: Omit<ComponentProps<'form'>, 'method' | 'action' | 'onSubmit'>) {
  const navigate = useNavigate()
  return (
    <form
      {...props}
      method="get"
      onSubmit={(event) => {
        event.preventDefault()
        const fields = [...new FormData(event.currentTarget)].map(([name, value]) => [name, `${value}`])
        navigate(`?${new URLSearchParams(fields)}`, { preventScrollReset: true })
      }}
    />
  )
}
