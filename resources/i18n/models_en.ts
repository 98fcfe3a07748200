<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
    <context>
        <name>CardFactsMaker</name>
        <message numerus="yes">
            <source>%n more</source>
            <translation>
                <numerusform>%n more</numerusform>
                <numerusform>%n more</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n slice(s) instead of one card</source>
            <translation>
                <numerusform>%n slice instead of one card</numerusform>
                <numerusform>%n slices instead of one card</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>MachineRows</name>
        <message numerus="yes">
            <source>%n core(s)</source>
            <translation>
                <numerusform>%n core</numerusform>
                <numerusform>%n cores</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n thread(s) usable</source>
            <translation>
                <numerusform>%n thread usable</numerusform>
                <numerusform>%n threads usable</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>NVLink between %n GPUs</source>
            <translation>
                <numerusform>NVLink between %n GPUs</numerusform>
                <numerusform>NVLink between %n GPUs</numerusform>
            </translation>
        </message>
    </context>
</TS>
