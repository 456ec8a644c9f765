ALTER TABLE "cart_lines" DROP CONSTRAINT "cart_lines_tool_id_tools_id_fk";
