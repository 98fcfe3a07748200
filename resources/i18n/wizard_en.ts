<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
    <context>
        <name>BrokenFilesCard</name>
        <message numerus="yes">
            <source>%n broken files are left out</source>
            <translation>
                <numerusform>%n broken files are left out</numerusform>
                <numerusform>%n broken files are left out</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n more</source>
            <translation>
                <numerusform>%n more</numerusform>
                <numerusform>%n more</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>All %n</source>
            <translation>
                <numerusform>All %n</numerusform>
                <numerusform>All %n</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>DataStep</name>
        <message numerus="yes">
            <source>%n cannot be read</source>
            <translation>
                <numerusform>%n cannot be read</numerusform>
                <numerusform>%n cannot be read</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>All %n classes</source>
            <translation>
                <numerusform>All %n classes</numerusform>
                <numerusform>All %n classes</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>ScriptStep</name>
        <message numerus="yes">
            <source>%n lines</source>
            <translation>
                <numerusform>%n lines</numerusform>
                <numerusform>%n lines</numerusform>
            </translation>
        </message>
    </context>
</TS>
