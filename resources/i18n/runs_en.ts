<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
    <context>
        <name>RunsPage</name>
        <message numerus="yes">
            <source>%n running</source>
            <translation>
                <numerusform>%n running</numerusform>
                <numerusform>%n running</numerusform>
            </translation>
        </message>
    </context>
</TS>
